import { useState } from 'react';
import type { EmployerFilterOptions } from '#contract/employers/employers.ts';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import { type Choice, ChoiceField, inBrackets } from '#web/listing/choice-field.tsx';
import { SpecialtyField } from '#web/listing/specialty-field.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface FilterFieldsProps {
  form: ListForm;
  /**
   * Null if they failed to load. The fields then offer earlier options, or only the chosen values.
   */
  options: EmployerFilterOptions | null;
}

/**
 * Each choice shows its number of employers (docs/product/employers.md, "Employer filters"). With a
 * specialty, none does: counting within it reads the whole directory, again after each new review.
 */
export function FilterFields({ form, options: latest }: FilterFieldsProps) {
  const [options, setOptions] = useState(latest);
  if (latest && latest !== options) setOptions(latest);
  const counts = form.values['specialty'] ? undefined : options?.counts;
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-x-3 gap-y-5 lining-nums sm:grid-cols-2 sm:gap-x-6 lg:grid-cols-3">
      <div className="max-sm:col-span-full">
        <SpecialtyField
          value={form.values['specialty'] ?? ''}
          options={options?.specialties ?? null}
          onChoose={(specialty) => form.choose({ specialty })}
        />
      </div>
      <ChoiceFields form={form} options={options} counts={counts} />
      <Checkbox
        label={`Hospitals only${inBrackets(counts?.employer_types['hospital'])}`}
        name="hospitals_only"
        value="true"
        checked={form.values['hospitals_only'] === 'true'}
        onChange={({ target }) => form.choose({ hospitals_only: String(target.checked) })}
        className="self-end sm:min-h-12"
      />
      <Checkbox
        label="With reviews"
        name="has_reviews"
        value="true"
        checked={form.values['has_reviews'] === 'true'}
        onChange={({ target }) => form.choose({ has_reviews: String(target.checked) })}
        className="self-end sm:min-h-12"
      />
      <ChoiceField
        form={form}
        name="min_reviews"
        label="Minimum reviews"
        any="Any number"
        choices={MIN_REVIEWS}
      />
      <ChoiceField
        form={form}
        name="min_immigration_support_rating"
        label="Immigration support"
        any="Any rating"
        choices={REVIEW_FILTER_CHOICES.min_rating}
      />
      <Range form={form} of="beds" />
      <Range form={form} of="staff" />
    </div>
  );
}

const MIN_REVIEWS = ['3', '5', '10', '20'].map((value) => ({ value, label: `${value} or more` }));

/** Name, label, the label for no choice, and the key of the options and their counts. */
const CHOICES = [
  ['state', 'State', 'All states', 'states'],
  ['employer_type', 'Employer type', 'All types', 'employer_types'],
  ['ownership_type', 'Ownership', 'All types', 'ownership_types'],
  ['trauma_level', 'Trauma level', 'All levels', 'trauma_levels'],
  ['hospital_status', 'Hospital status', 'All statuses', 'hospital_statuses'],
  ['has_helipad', 'Helipad', 'Any', 'has_helipad'],
] as const;

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

type Counts = EmployerFilterOptions['counts'] | undefined;

function ChoiceFields({ form, options, counts }: FilterFieldsProps & { counts: Counts }) {
  const known = { ...options, has_helipad: YES_OR_NO };
  return CHOICES.map(([name, label, any, key]) => {
    const ofEach: Readonly<Record<string, number>> = counts?.[key] ?? {};
    const choices = (known[key] ?? []).map((option): Choice => {
      const choice = typeof option === 'string' ? { value: option, label: option } : option;
      return { ...choice, count: ofEach[choice.value] };
    });
    const className = name === 'ownership_type' ? 'max-sm:col-span-full' : '';
    return <ChoiceField key={name} {...{ form, name, label, any, choices, className }} />;
  });
}

/** A minimum and a maximum. Text fields, so that a typo is kept and reported instead of dropped. */
function Range({ form, of }: { form: ListForm; of: 'beds' | 'staff' }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(5rem,100%),1fr))] gap-3 max-sm:col-span-full">
      <NumberField form={form} name={`min_${of}`} label={`Min ${of}`} />
      <NumberField form={form} name={`max_${of}`} label={`Max ${of}`} />
    </div>
  );
}

function NumberField({ form, name, label }: { form: ListForm; name: string; label: string }) {
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
