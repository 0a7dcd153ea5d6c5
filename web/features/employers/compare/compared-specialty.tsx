import { Form, useNavigate } from 'react-router';
import { rememberSpecialty, useMineFirst } from '#web/lib/my-specialty.ts';
import { paths } from '#web/lib/paths.ts';
import { ShowButton } from '#web/listing/choice-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface ComparedSpecialtyProps {
  ids: readonly number[];
  /** The specialties of the reviews. */
  specialties: readonly string[];
  specialty: string | undefined;
}

/** Limits the ratings to one specialty. A GET form, so it works without script. */
export function ComparedSpecialty({ ids, specialties, specialty = '' }: ComparedSpecialtyProps) {
  const navigate = useNavigate();
  const isUnknown = specialty !== '' && !specialties.includes(specialty);
  const names = isUnknown ? [specialty, ...specialties] : specialties;
  const choices = useMineFirst(names);
  if (names.length === 0) return null;
  return (
    <Form action={paths.compare()} className="flex flex-wrap items-end gap-3 pb-4 print:hidden">
      <input type="hidden" name="ids" value={ids.join(',')} />
      <Field label="Ratings by" className="max-sm:basis-full">
        {(control) => (
          <Select
            {...control}
            name="specialty"
            value={specialty}
            onChange={({ target: { value } }) => {
              rememberSpecialty(value);
              void navigate(paths.compare(ids, value), { preventScrollReset: true });
            }}
            className="sm:min-w-64"
          >
            <option value="">All specialties</option>
            {choices.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ShowButton />
    </Form>
  );
}
