import type { CategoryRating } from '#contract/review-choices.ts';

/** The names of the categories in older responses (docs/product/reviews.md, "Review card"). */
const LEGACY = {
  work_life_balance_rating: 'location_rating',
  mentorship_growth_rating: 'growth_opportunities_rating',
  team_collaboration_rating: 'growth_opportunities_rating',
  compensation_benefits_rating: 'compensation_rating',
} as const satisfies Partial<Record<CategoryRating, string>>;
type LegacyRating = (typeof LEGACY)[keyof typeof LEGACY];
const legacyOf = (category: CategoryRating): LegacyRating | undefined =>
  category in LEGACY ? LEGACY[category as keyof typeof LEGACY] : undefined;

export type Ratings = Readonly<Partial<Record<CategoryRating | LegacyRating, number | null>>>;

/** The rating of a category, by its current name or by that of older responses. */
export function ratingOf(ratings: Ratings, category: CategoryRating): number | null {
  const legacy = legacyOf(category);
  return ratings[category] ?? (legacy && ratings[legacy]) ?? null;
}

type Averages = Readonly<
  Partial<Record<`avg_${CategoryRating | LegacyRating}`, number | null | undefined>>
>;

/** The average of a category, by its current name or by that of older responses. */
export function averageOf(averages: Averages, category: CategoryRating): number | null {
  const legacy = legacyOf(category);
  return averages[`avg_${category}`] ?? (legacy && averages[`avg_${legacy}`]) ?? null;
}
