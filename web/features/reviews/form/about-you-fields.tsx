import { useController, useWatch } from 'react-hook-form';
import { yearChoices } from '#contract/limits.ts';
import { Checkbox, Radio } from '#web/ui/checkbox.tsx';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { FieldFindings } from './field-findings.tsx';
import { PositionTitleBox } from './position-title-box.tsx';
import type { ReviewFormState, ReviewValues } from './review-values.ts';
import type { Failure } from './submit-failure.ts';

interface AboutYouProps {
  form: ReviewFormState;
  /** Years that are no longer offered, but stand in the review. */
  kept: Pick<ReviewValues, 'start_year' | 'end_year'>;
  failure: Failure | null;
}

export function AboutYouFields({ form, kept, failure }: AboutYouProps) {
  const { control, register, setValue } = form;
  const { field: position } = useController({ control, name: 'position_title' });
  const isCurrent = useWatch({ control, name: 'is_current_employee' });
  return (
    <>
      <div>
        <PositionTitleBox
          name={position.name}
          text={position.value}
          isAtFault={failure?.field === 'position_title'}
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
              <YearOptions kept={kept.start_year} />
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
              <YearOptions kept={kept.end_year} />
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

function YearOptions({ kept }: { kept: string }) {
  const years = yearChoices(new Date());
  if (kept !== '' && !years.includes(Number(kept))) years.push(Number(kept));
  return (
    <>
      <option value="">Select year</option>
      {years.map((year) => (
        <option key={year}>{year}</option>
      ))}
    </>
  );
}

function Recommendation({ form, failure }: Omit<AboutYouProps, 'kept'>) {
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
