import type { OwnReview } from '#contract/reviews.ts';

export interface Statistics {
  total: number;
  recommended: number;
  /** Null while there is nothing to average. */
  averageRating: number | null;
}

/** What one's reviews add up to; computed anew when one is deleted. */
export function statisticsOf(
  reviews: readonly Pick<OwnReview, 'overall_rating' | 'would_recommend'>[],
): Statistics {
  const sum = reviews.reduce((total, { overall_rating }) => total + overall_rating, 0);
  return {
    total: reviews.length,
    recommended: reviews.filter(({ would_recommend }) => would_recommend).length,
    averageRating: reviews.length > 0 ? sum / reviews.length : null,
  };
}
