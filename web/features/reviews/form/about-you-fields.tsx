import { useController, useWatch } from 'react-hook-form';
import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import { PAGE_SIZE, yearChoices } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { api } from '#web/lib/session.ts';
import { Checkbox, Radio } from '#web/ui/checkbox.tsx';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { FieldFindings } from './review-failure.tsx';
import type { ReviewFormState, ReviewValues } from './review-values.ts';
import { SearchField, useOptionSearch } from './search-field.tsx';
import type { Failure } from './submit-failure.ts';

interface AboutYouProps {
  form: ReviewFormState;
  /** The years of the stored review, which may no longer be offered. */
  stored: Pick<ReviewValues, 'start_year' | 'end_year'>;
  failure: Failure | null;
}

export function AboutYouFields({ form, stored, failure }: AboutYouProps) {
  const { control, register, setValue } = form;
  const { field: position } = useController({ control, name: 'position_title' });
  const isCurrent = useWatch({ control, name: 'is_current_employee' });
  return (
    <>
      <div>
        <PositionTitleBox
          name={position.name}
          text={position.value}
          isInvalid={failure?.field === 'position_title'}
          onChange={position.onChange}
        />
        <FieldFindings field="position_title" text={position.value} failure={failure} />
      </div>
      <div className="grid grid-cols-2 gap-x-5 gap-y-2">
        <Field label="Start Year *">
          {(attributes) => (
            <Select
              {...attributes}
              {...register('start_year')}
              required
              aria-invalid={failure?.field === 'start_year' || undefined}
            >
              <YearOptions stored={stored.start_year} />
            </Select>
          )}
        </Field>
        <Field label="End Year">
          {(attributes) => (
            <Select
              {...attributes}
              {...register('end_year')}
              disabled={isCurrent}
              aria-invalid={failure?.field === 'end_year' || undefined}
            >
              <YearOptions stored={stored.end_year} />
            </Select>
          )}
        </Field>
        <Checkbox
          label="I currently work here"
          className="col-span-2"
          {...register('is_current_employee', {
            onChange: (event) => event.target.checked && setValue('end_year', ''),
          })}
        />
      </div>
      <Recommendation form={form} failure={failure} />
    </>
  );
}

interface PositionTitleBoxProps {
  name: string;
  text: string;
  isInvalid: boolean;
  onChange: (text: string) => void;
}

const findTitles = async (search: string, signal: AbortSignal) => {
  const query = { search, page_size: PAGE_SIZE };
  return (await api.call(positionTitleEndpoints.list, { query, signal })).results;
};

/** Free text with suggestions. Other titles are accepted, too. */
function PositionTitleBox({ name, text, isInvalid, onChange }: PositionTitleBoxProps) {
  const { term, results, status, search } = useOptionSearch(findTitles);
  const isUnknown = status === 'done' && results.length === 0;
  return (
    <SearchField
      label="Position Title *"
      placeholder="For example, Attending Physician"
      name={name}
      text={text}
      isInvalid={isInvalid}
      onType={(typed) => {
        onChange(typed);
        search(typed);
      }}
      options={results.map(({ id, title }) => ({
        key: String(id),
        label: titleCase(title),
        onChoose: () => onChange(titleCase(title)),
      }))}
      note={isUnknown ? `No positions found matching "${term}"` : null}
    />
  );
}

function YearOptions({ stored }: { stored: string }) {
  const years = yearChoices(new Date());
  if (stored !== '' && !years.includes(Number(stored))) years.push(Number(stored));
  return (
    <>
      <option value="">Select year</option>
      {years.map((year) => (
        <option key={year}>{year}</option>
      ))}
    </>
  );
}

function Recommendation({ form, failure }: Omit<AboutYouProps, 'stored'>) {
  const { field } = useController({ control: form.control, name: 'would_recommend' });
  const choices = [
    ['Yes', true],
    ['No', false],
  ] as const;
  return (
    <fieldset
      className={cx(
        failure?.field === field.name && 'rounded-sm outline-2 outline-offset-8 outline-danger',
      )}
    >
      <legend className="text-sm font-semibold">Would you recommend this employer? *</legend>
      <div className="flex gap-8">
        {choices.map(([label, value]) => (
          <Radio
            key={label}
            label={label}
            name={field.name}
            checked={field.value === value}
            onChange={() => field.onChange(value)}
          />
        ))}
      </div>
    </fieldset>
  );
}
