import type { Employer, EmployerInsights } from '#contract/employers/employers.ts';
import { CATEGORIES } from '#contract/review-choices.ts';
import { formatAverage, plural } from '#web/lib/format.ts';
import { averageOf } from '#web/lib/legacy-ratings.ts';
import { HistogramColumns } from '#web/ui/rating-histogram.tsx';
import { Stars } from '#web/ui/stars.tsx';

interface CategoryAveragesProps {
  employer: Employer;
  /** Null if they could not be loaded. Then only the averages are shown. */
  insights: Pick<EmployerInsights, 'spread'> | null;
}

/**
 * The averages of the categories and their distributions. Renders nothing if there are no reviews.
 */
export function CategoryAverages({ employer, insights }: CategoryAveragesProps) {
  if (employer.total_reviews === 0) return null;
  return (
    <section
      aria-labelledby="category-ratings"
      className="grid gap-x-12 gap-y-3 border-t border-rule py-8 print:py-2 md:grid-cols-[13rem_1fr]"
    >
      <div>
        <h2 id="category-ratings" className="label-caps text-ink-faint">
          Category ratings
        </h2>
        {insights && (
          <p className="text-xs text-ink-faint lining-nums">Bars: ratings from 1 to 5 stars</p>
        )}
      </div>
      <Averages employer={employer} insights={insights} />
    </section>
  );
}

/** Laid out like a table of contents: category, leader dots, histogram, stars, and number. */
function Averages({ employer, insights }: CategoryAveragesProps) {
  return (
    <dl className="flex flex-col gap-y-2.5 text-sm print:gap-y-0.5">
      {CATEGORIES.map(([category, label]) => {
        const rating = averageOf(employer, category);
        if (!rating) return null;
        const reviews = insights?.spread[category].reduce((sum, count) => sum + count, 0);
        return (
          <div
            key={category}
            className="flex items-center gap-x-3 max-sm:flex-wrap sm:items-baseline sm:gap-x-4"
          >
            <dt className="text-ink-soft max-sm:min-w-0 max-sm:flex-[1_1_6rem] sm:whitespace-nowrap">
              {label}
              {/* Not every review rates immigration support. */}
              {reviews !== undefined && reviews !== employer.total_reviews && (
                <span className="ml-1 inline-block text-xs text-ink-faint">
                  {plural(reviews, 'review')}
                </span>
              )}
            </dt>
            <span aria-hidden className="leader-dots max-sm:hidden" />
            <dd className="flex items-baseline gap-x-3 max-sm:max-w-full max-sm:flex-wrap sm:gap-x-4">
              {insights && (
                <HistogramColumns
                  counts={insights.spread[category]}
                  label={`${label} ratings given`}
                />
              )}
              <Stars rating={rating} size="sm" />
              <span aria-hidden className="min-w-[1.75rem] text-right lining-nums tabular-nums">
                {formatAverage(rating)}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
