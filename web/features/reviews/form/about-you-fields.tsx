import { useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import { PAGE_SIZE, yearChoices } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import { specialtyOfTitle } from '#contract/specialty-of-title.ts';
import { api } from '#web/lib/session.ts';
import { useOptionSearch } from '#web/lib/use-option-search.ts';
import { SpecialtyField } from '#web/listing/specialty-field.tsx';
import { Checkbox, Radio } from '#web/ui/checkbox.tsx';
import { cx } from '#web/ui/cx.ts';
import { Field, FieldError } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { FieldFindings } from './review-failure.tsx';
import type { ReviewFormState, ReviewValues } from './review-values.ts';
import { SearchField } from './search-field.tsx';
import { type Failure, fieldError } from './submit-failure.ts';

interface AboutYouProps {
  form: ReviewFormState;
  /** The years of the stored review, which may no longer be offered. */
  stored: Pick<ReviewValues, 'start_year' | 'end_year'>;
  failure: Failure | null;
}

export function AboutYouFields({ form, stored, failure }: AboutYouProps) {
  const { control, register, setValue } = form;
  const { field: position } = useController({ control, name: 'position_title' });
  const { field: specialty } = useController({ control, name: 'specialty' });
  const named = specialtyOfTitle(position.value);
  const isCurrent = useWatch({ control, name: 'is_current_employee' });
  return (
    <>
      <div>
        <PositionTitleBox
          name={position.name}
          text={position.value}
          isInvalid={failure?.field === 'position_title'}
          error={fieldError(failure, 'position_title')}
          onChange={position.onChange}
        />
        <FieldFindings field="position_title" text={position.value} failure={failure} />
      </div>
      <SpecialtyField
        value={specialty.value}
        options={SPECIALTY_NAMES}
        placeholder={named ?? 'Optional'}
        hint={
          named && !specialty.value
            ? `Based on your title: ${named}. You can choose another.`
            : 'Optional. Shown with your review to help colleagues find it.'
        }
        onChoose={specialty.onChange}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(max(8.5rem,40%),1fr))] gap-x-5 gap-y-2">
        <Field label="Start Year *" error={fieldError(failure, 'start_year')}>
          {(attributes) => (
            <Select {...attributes} {...register('start_year')} required>
              <YearOptions stored={stored.start_year} />
            </Select>
          )}
        </Field>
        <Field label="End Year" error={fieldError(failure, 'end_year')}>
          {(attributes) => (
            <Select {...attributes} {...register('end_year')} disabled={isCurrent}>
              <YearOptions stored={stored.end_year} />
            </Select>
          )}
        </Field>
        <Checkbox
          label="I currently work here"
          className="col-span-full"
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
  error: string | undefined;
  onChange: (text: string) => void;
}

const findTitles = async (search: string, signal: AbortSignal) => {
  const query = { search, page_size: PAGE_SIZE };
  return (await api.call(positionTitleEndpoints.list, { query, signal })).results;
};

/** Free text with suggestions. Accepts other titles, too. */
function PositionTitleBox({ name, text, isInvalid, error, onChange }: PositionTitleBoxProps) {
  const { term, results, status, search } = useOptionSearch(findTitles);
  const isUnknown = status === 'done' && results.length === 0;
  return (
    <SearchField
      label="Position Title *"
      placeholder="For example, Attending Physician"
      name={name}
      text={text}
      isInvalid={isInvalid}
      error={error}
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
        <option key={year} value={year}>
          {year}
        </option>
      ))}
    </>
  );
}

function Recommendation({ form, failure }: Omit<AboutYouProps, 'stored'>) {
  const { field } = useController({ control: form.control, name: 'would_recommend' });
  const id = useId();
  const error = fieldError(failure, field.name);
  const choices = [
    ['Yes', true],
    ['No', false],
  ] as const;
  return (
    <fieldset
      className={cx(error && 'rounded-sm outline-2 outline-offset-8 outline-danger')}
      aria-describedby={error && id}
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
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}
