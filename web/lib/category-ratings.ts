import { CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import type { LabelledRating } from '#web/ui/rating-list.tsx';

const CATEGORIES = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];

/** What older answers call a category (docs/product/reviews.md, "Review card"). */
const LEGACY = {
  work_life_balance_rating: 'location_rating',
  mentorship_growth_rating: 'growth_opportunities_rating',
  team_collaboration_rating: 'growth_opportunities_rating',
  compensation_benefits_rating: 'compensation_rating',
  immigration_support_rating: null,
} as const;
type LegacyRating = Exclude<(typeof LEGACY)[CategoryRating], null>;

type Ratings = Readonly<Partial<Record<CategoryRating | LegacyRating, number | null>>>;

/** The categories a review rates, in the order they are asked; immigration support may be left out. */
export function categoryRatings(ratings: Ratings): LabelledRating[] {
  return CATEGORIES.flatMap(([category, label]) => {
    const legacy = LEGACY[category];
    const rating = ratings[category] ?? (legacy && ratings[legacy]);
    return rating ? [{ label, rating }] : [];
  });
}
