import { CATEGORY_RATINGS, type CategoryRating } from '#contract/reviews.ts';
import type { LabelledRating } from '#web/ui/rating-list.tsx';

const CATEGORIES = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];

/** The categories a review rates, in the order they are asked; immigration support may be left out. */
export function categoryRatings(
  ratings: Readonly<Partial<Record<CategoryRating, number | null>>>,
): LabelledRating[] {
  return CATEGORIES.flatMap(([category, label]) => {
    const rating = ratings[category];
    return rating ? [{ label, rating }] : [];
  });
}
