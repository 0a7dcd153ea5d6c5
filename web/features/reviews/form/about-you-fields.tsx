import { useId } from 'react';
import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import { PAGE_SIZE, yearChoices } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import { api } from '#web/lib/session.ts';
import { useOptionSearch } from '#web/lib/use-option-search.ts';
import { SpecialtyField } from '#web/listing/specialty-field.tsx';
import { cx } from '#web/ui/cx.ts';
import { Checkbox, Field, FieldError, Radio, Select } from '#web/ui/inputs.tsx';
import { FieldFindings, fieldError, type ReviewFormState, SearchField } from './review-failure.tsx';
import type { ReviewValues } from './review-values.ts';

interface AboutYouProps {
  form: ReviewFormState;
  /** The years of the stored review, which may no longer be offered. */
  stored: Pick<ReviewValues, 'start_year' | 'end_year'>;
}

export function AboutYouFields({ form, stored }: AboutYouProps) {
  const { values, failure, set } = form;
  const named = specialtyOfTitle(values.position_title);
  return (
    <>
      <div>
        <PositionTitleBox form={form} />
        <FieldFindings field="position_title" text={values.position_title} failure={failure} />
      </div>
      <SpecialtyField
        value={values.specialty}
        options={SPECIALTY_NAMES}
        placeholder={named ?? 'Optional'}
        hint={
          named && !values.specialty
            ? `Based on your title: ${named}. You can choose another.`
            : 'Optional. Shown with your review to help colleagues find it.'
        }
        onChoose={(specialty) => set({ specialty })}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(max(8.5rem,40%),1fr))] gap-x-5 gap-y-2">
        <Field label="Start Year *" error={fieldError(failure, 'start_year')}>
          {(attributes) => (
            <Select
              {...attributes}
              name="start_year"
              value={values.start_year}
              onChange={({ target }) => set({ start_year: target.value })}
              required
            >
              <YearOptions stored={stored.start_year} />
            </Select>
          )}
        </Field>
        <Field label="End Year" error={fieldError(failure, 'end_year')}>
          {(attributes) => (
            <Select
              {...attributes}
              name="end_year"
              value={values.end_year}
              onChange={({ target }) => set({ end_year: target.value })}
              disabled={values.is_current_employee}
            >
              <YearOptions stored={stored.end_year} />
            </Select>
          )}
        </Field>
        <Checkbox
          label="I currently work here"
          className="col-span-full"
          name="is_current_employee"
          checked={values.is_current_employee}
          onChange={({ target: { checked } }) =>
            set({ is_current_employee: checked, ...(checked && { end_year: '' }) })
          }
        />
      </div>
      <Recommendation form={form} />
    </>
  );
}

const findTitles = async (search: string, signal: AbortSignal) => {
  const query = { search, page_size: PAGE_SIZE };
  return (await api.call(positionTitleEndpoints.list, { query, signal })).results;
};

/** Free text with suggestions. Accepts other titles, too. */
function PositionTitleBox({ form: { values, failure, set } }: Pick<AboutYouProps, 'form'>) {
  const { term, results, status, search } = useOptionSearch(findTitles);
  const isUnknown = status === 'done' && results.length === 0;
  return (
    <SearchField
      label="Position Title *"
      placeholder="For example, Attending Physician"
      name="position_title"
      text={values.position_title}
      failure={failure}
      onType={(position_title) => {
        set({ position_title });
        search(position_title);
      }}
      options={results.map(({ id, title }) => ({
        key: String(id),
        label: titleCase(title),
        onChoose: () => set({ position_title: titleCase(title) }),
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

function Recommendation({ form: { values, failure, set } }: Pick<AboutYouProps, 'form'>) {
  const id = useId();
  const error = fieldError(failure, 'would_recommend');
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
            name="would_recommend"
            checked={values.would_recommend === value}
            onChange={() => set({ would_recommend: value })}
          />
        ))}
      </div>
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}
