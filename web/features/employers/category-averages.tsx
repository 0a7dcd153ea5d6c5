import type { Employer, EmployerInsights } from '#contract/employers/employers.ts';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { CATEGORIES, CATEGORY_RATINGS } from '#contract/review-choices.ts';
import { formatAverage, formatPercent, plural } from '#web/lib/format.ts';
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

/** The averages of one specialty at an employer, if it has enough reviews. */
export function SpecialtyRatings({
  subgroup,
}: {
  subgroup: NonNullable<EmployerInsights['subgroup']>;
}) {
  const { specialty, total_reviews, recommend_share, overall_rating, immigration_answers } =
    subgroup;
  // Not every review rates immigration support.
  const isOfSome = immigration_answers !== total_reviews;
  const figures = [
    ['Overall rating', formatted(overall_rating)],
    ...CATEGORIES.map(([category, label]) => [label, formatted(subgroup[`avg_${category}`])]),
    ['Would recommend', recommend_share === null ? null : formatPercent(recommend_share)],
  ] as const;
  return (
    <section aria-labelledby="specialty-ratings" className="pb-5 lining-nums">
      <h3 id="specialty-ratings" className="font-semibold">
        {specialty}: {plural(total_reviews, 'review')}
      </h3>
      {overall_rating === null ? (
        <p className="mt-1 text-sm text-ink-soft">
          Averages for a specialty appear once it has {REVIEWS_OF_SPECIALTY} reviews.
        </p>
      ) : (
        <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
          {figures.map(
            ([label, figure]) =>
              figure && (
                <div key={label}>
                  <dt className="text-sm text-ink-soft">{label}</dt>
                  <dd className="font-display text-xl">{figure}</dd>
                  {label === CATEGORY_RATINGS.immigration_support_rating && isOfSome && (
                    <dd className="text-xs text-ink-faint">
                      {plural(immigration_answers, 'review')}
                    </dd>
                  )}
                </div>
              ),
          )}
        </dl>
      )}
    </section>
  );
}

const formatted = (average: number | null) => (average === null ? null : formatAverage(average));
