import { titleCase } from '#contract/names.ts';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import type { ReviewFilterOptions } from '#contract/reviews/review-queries.ts';
import { ChoiceField } from '#web/listing/choice-field.tsx';
import { OptionField } from '#web/listing/option-field.tsx';
import { SpecialtyField } from '#web/listing/specialty-field.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { cityLabel } from './review-listing.ts';

export interface FilterFieldsProps {
  form: ListForm;
  /** Null until they are loaded. */
  options: ReviewFilterOptions | null;
}

/** Fields with many options, which the user finds by typing. */
export function PlaceFields({ form, options }: FilterFieldsProps) {
  const cities = form.listing.valuesOf('city', form.values['city']);
  const isFree = (city: string) => !cities.some((one) => cityLabel(one) === cityLabel(city));
  return (
    <>
      <OptionField
        label="Position title"
        name="position_title"
        placeholder="Any position"
        value={form.values['position_title'] ?? ''}
        options={options?.position_titles ?? null}
        format={titleCase}
        onChoose={(position_title) => form.choose({ position_title })}
      />
      <SpecialtyField
        value={form.values['specialty'] ?? ''}
        options={options?.specialties ?? null}
        onChoose={(specialty) => form.choose({ specialty })}
      />
      <OptionField
        label="State"
        name="state"
        placeholder="Any state"
        value={form.values['state'] ?? ''}
        options={options?.states ?? null}
        format={(state) => state.toUpperCase()}
        onChoose={(state) => form.choose({ state })}
      />
      {/* The chosen cities are chips; this field adds one more. */}
      <OptionField
        label="City"
        name="city"
        placeholder={cities.length > 0 ? 'Add a city' : 'Any city'}
        options={options?.cities.filter(isFree) ?? null}
        format={cityLabel}
        onChoose={(city) => form.choose({ city: [...cities, city].join(',') })}
      />
    </>
  );
}

const CHOICE_LABELS = {
  min_rating: ['Minimum rating', 'Any rating'],
  max_rating: ['Maximum rating', 'Any rating'],
  would_recommend: ['Recommendation', 'Any'],
  is_current_employee: ['Employment', 'Any'],
} as const;

export function ReviewChoiceField({
  form,
  name,
}: {
  form: ListForm;
  name: keyof typeof CHOICE_LABELS;
}) {
  const [label, any] = CHOICE_LABELS[name];
  return <ChoiceField {...{ form, name, label, any }} choices={REVIEW_FILTER_CHOICES[name]} />;
}
