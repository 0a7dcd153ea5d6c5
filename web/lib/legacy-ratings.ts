import type { CategoryRating } from '#contract/review-choices.ts';

type LegacyRating = 'location_rating' | 'growth_opportunities_rating' | 'compensation_rating';

/** The names of the categories in older responses (docs/product/reviews.md, "Review card"). */
const LEGACY: Partial<Record<CategoryRating, LegacyRating>> = {
  work_life_balance_rating: 'location_rating',
  mentorship_growth_rating: 'growth_opportunities_rating',
  team_collaboration_rating: 'growth_opportunities_rating',
  compensation_benefits_rating: 'compensation_rating',
};

export type Ratings = Readonly<Partial<Record<CategoryRating | LegacyRating, number | null>>>;

/** The rating of a category, by its current name or by that of older responses. */
export function ratingOf(ratings: Ratings, category: CategoryRating): number | null {
  const legacy = LEGACY[category];
  return ratings[category] ?? (legacy && ratings[legacy]) ?? null;
}

type Averages = Readonly<
  Partial<Record<`avg_${CategoryRating | LegacyRating}`, number | null | undefined>>
>;

/** The average of a category, by its current name or by that of older responses. */
export function averageOf(averages: Averages, category: CategoryRating): number | null {
  const legacy = LEGACY[category];
  return averages[`avg_${category}`] ?? (legacy && averages[`avg_${legacy}`]) ?? null;
}
