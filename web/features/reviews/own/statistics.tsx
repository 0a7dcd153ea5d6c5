import type { OwnReview } from '#contract/reviews/reviews.ts';
import { formatAverage, formatCount } from '#web/lib/format.ts';

export function statisticsOf(
  reviews: readonly Pick<OwnReview, 'overall_rating' | 'would_recommend'>[],
) {
  const sum = reviews.reduce((total, { overall_rating }) => total + overall_rating, 0);
  return {
    total: reviews.length,
    recommended: reviews.filter(({ would_recommend }) => would_recommend).length,
    averageRating: reviews.length > 0 ? sum / reviews.length : null,
  };
}

export function StatisticsLine({ statistics }: { statistics: ReturnType<typeof statisticsOf> }) {
  const figures = [
    ['Total reviews', formatCount(statistics.total)],
    ['Recommended', formatCount(statistics.recommended)],
    ['Average rating', formatAverage(statistics.averageRating)],
  ] as const;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-x-3 border-y sm:gap-x-0 border-ink">
      {figures.map(([term, figure]) => (
        <div
          key={term}
          className="flex flex-col-reverse justify-end py-4 sm:not-first:border-l sm:not-first:border-rule sm:not-first:pl-8"
        >
          <dt className="text-xs text-ink-soft sm:text-sm">{term}</dt>
          <dd className="font-display text-2xl lining-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
