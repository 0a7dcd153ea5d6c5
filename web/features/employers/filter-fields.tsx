import { useState } from 'react';
import type { EmployerFilterOptions } from '#contract/employers.ts';
import { formatCount } from '#web/lib/format.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { DirectoryFilter } from './directory-query.ts';
import { type ChoiceFilter, choiceFilters } from './filter-choices.ts';
import type { DirectoryForm } from './use-directory-form.ts';

interface FilterFieldsProps {
  form: DirectoryForm;
  /** Null when they could not be had: those known from before serve, or what is chosen alone. */
  options: EmployerFilterOptions | null;
}

/** The filters of the specification, section 7, each choice with the number of its employers. */
export function FilterFields({ form, options: latest }: FilterFieldsProps) {
  const [options, setOptions] = useState(latest);
  if (latest && latest !== options) setOptions(latest);
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-5 lining-nums sm:gap-x-6 lg:grid-cols-3">
      {choiceFilters(options).map(({ name, label, any, choices }) => (
        <ChoiceField key={name} {...{ name, label, any, choices, form }} />
      ))}
      <Checkbox
        label={`Hospitals only${inBrackets(options?.counts.employer_types['hospital'])}`}
        name="hospitals_only"
        value="true"
        checked={form.values.hospitals_only === 'true'}
        onChange={({ target }) => form.choose({ hospitals_only: String(target.checked) })}
        className="self-end sm:min-h-12"
      />
      <Range form={form} of="beds" />
      <Range form={form} of="staff" />
    </div>
  );
}

function ChoiceField({ name, label, any, choices, form }: ChoiceFilter & { form: DirectoryForm }) {
  const chosen = form.values[name] ?? '';
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen);
  return (
    <Field label={label} className={name === 'ownership_type' ? 'max-sm:col-span-2' : ''}>
      {(control) => (
        <Select
          {...control}
          name={name}
          value={chosen}
          onChange={({ target }) => form.choose({ [name]: target.value })}
        >
          <option value="">{any}</option>
          {!isListed && <option value={chosen}>{chosen}</option>}
          {choices.map(({ value, label, count }) => (
            <option key={value} value={value}>
              {label + inBrackets(count)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

const inBrackets = (count: number | undefined) =>
  count === undefined ? '' : ` (${formatCount(count)})`;

/** Two numbers; as text, so that a slip is kept and told instead of dropped. */
function Range({ form, of }: { form: DirectoryForm; of: 'beds' | 'staff' }) {
  return (
    <div className="col-span-2 grid grid-cols-2 gap-3 sm:col-span-1">
      <NumberField form={form} name={`min_${of}`} label={`Min ${of}`} />
      <NumberField form={form} name={`max_${of}`} label={`Max ${of}`} />
    </div>
  );
}

function NumberField({
  form,
  name,
  label,
}: {
  form: DirectoryForm;
  name: DirectoryFilter;
  label: string;
}) {
  return (
    <Field label={label} error={form.errors[name]}>
      {(control) => (
        <TextInput
          {...control}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          value={form.values[name] ?? ''}
          onChange={({ target }) => form.type({ [name]: target.value })}
          onBlur={form.endTyping}
        />
      )}
    </Field>
  );
}
