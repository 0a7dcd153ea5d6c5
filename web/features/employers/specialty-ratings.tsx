import type { EmployerInsights } from '#contract/employers/employers.ts';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { CATEGORIES, CATEGORY_RATINGS } from '#contract/review-choices.ts';
import { formatAverage, formatPercent, plural } from '#web/lib/format.ts';

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
