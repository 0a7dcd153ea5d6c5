import { CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import { Stars } from '#web/ui/stars.tsx';

const CATEGORIES = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];

/** The names of the categories in older responses (docs/product/reviews.md, "Review card"). */
const LEGACY = {
  work_life_balance_rating: 'location_rating',
  mentorship_growth_rating: 'growth_opportunities_rating',
  team_collaboration_rating: 'growth_opportunities_rating',
  compensation_benefits_rating: 'compensation_rating',
  immigration_support_rating: null,
} as const;
type LegacyRating = Exclude<(typeof LEGACY)[CategoryRating], null>;

type Ratings = Readonly<Partial<Record<CategoryRating | LegacyRating, number | null>>>;

/** The ratings of a review, in the order of the form. Immigration support is optional. */
export function categoryRatings(ratings: Ratings): { label: string; rating: number }[] {
  return CATEGORIES.flatMap(([category, label]) => {
    const legacy = LEGACY[category];
    const rating = ratings[category] ?? (legacy && ratings[legacy]);
    return rating ? [{ label, rating }] : [];
  });
}

/** Laid out like a table of contents: the category, leader dots, stars, and the number. */
export function CategoryRatings({ review }: { review: Ratings }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17.5rem),1fr))] gap-x-12 gap-y-1 text-sm">
      {categoryRatings(review).map(({ label, rating }) => (
        <div key={label} className="flex items-baseline gap-2">
          <dt className="text-ink-soft">{label}</dt>
          <span aria-hidden className="leader-dots" />
          <dd className="flex items-baseline gap-2">
            <Stars rating={rating} size="sm" />
            <span aria-hidden className="min-w-[1ch] lining-nums tabular-nums">
              {rating}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
