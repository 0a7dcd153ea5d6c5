import { useController } from 'react-hook-form';
import { CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import { StarPicker } from '#web/ui/star-picker.tsx';
import type { ReviewField, ReviewFormState } from './review-values.ts';

interface RatingFieldsProps {
  control: ReviewFormState['control'];
  faultyField: ReviewField | undefined;
}

/** What each category takes in (docs/product.md, "Purpose"). */
const CATEGORY_HINTS: Record<CategoryRating, string> = {
  work_life_balance_rating: 'Schedule flexibility, time off, workload',
  mentorship_growth_rating: 'Teaching, guidance, room to advance',
  team_collaboration_rating: 'Colleagues, nursing, administration',
  compensation_benefits_rating: 'Pay, benefits, contract terms',
  immigration_support_rating: 'Visa sponsorship, legal help, relocation',
};

const CATEGORIES = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];

export function RatingFields({ control, faultyField }: RatingFieldsProps) {
  return (
    <>
      <Rating
        control={control}
        name="overall_rating"
        legend="Overall rating *"
        {...{ faultyField }}
      />
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        {CATEGORIES.map(([name, label]) => (
          <Rating
            key={name}
            control={control}
            name={name}
            legend={name === 'immigration_support_rating' ? `${label} (optional)` : `${label} *`}
            hint={CATEGORY_HINTS[name]}
            faultyField={faultyField}
          />
        ))}
      </div>
    </>
  );
}

function Rating({
  control,
  name,
  legend,
  hint,
  faultyField,
}: RatingFieldsProps & { name: 'overall_rating' | CategoryRating; legend: string; hint?: string }) {
  const { field } = useController({ control, name });
  return (
    <StarPicker
      legend={legend}
      hint={hint}
      name={name}
      value={field.value}
      onChange={field.onChange}
      isAtFault={faultyField === name}
    />
  );
}
