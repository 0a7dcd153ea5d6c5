import type { ReactNode } from 'react';
import { RECENT_MONTHS } from '#contract/employer-choices.ts';
import type { Employer, EmployerInsights } from '#contract/employers.ts';
import { CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import { formatAverage, formatCount, formatDate, plural } from '#web/lib/format.ts';
import { HistogramColumns, HistogramTable } from '#web/ui/rating-histogram.tsx';
import { Stars } from '#web/ui/stars.tsx';

interface EmployerRatingsProps {
  employer: Employer;
  /** Null if they could not be loaded. Then only the averages are shown. */
  insights: EmployerInsights | null;
}

/** The averages and their distributions. Nothing if there are no reviews. */
export function EmployerRatings({ employer, insights }: EmployerRatingsProps) {
  if (employer.total_reviews === 0 || employer.overall_rating === null) return null;
  return (
    <div className="border-t border-rule">
      <section
        aria-labelledby="overall-rating"
        className="grid gap-x-12 gap-y-6 py-8 md:grid-cols-[13rem_1fr]"
      >
        <div>
          <h2 id="overall-rating" className="label-caps text-ink-faint">
            Overall rating
          </h2>
          <p className="mt-1 font-display text-4xl leading-none lining-nums">
            {formatAverage(employer.overall_rating)}
          </p>
          <Stars rating={employer.overall_rating} size="lg" className="mt-2" />
          <p className="mt-1 text-sm text-ink-soft lining-nums">
            Based on {plural(employer.total_reviews, 'review')}
          </p>
        </div>
        {insights && (
          <div className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,24rem)_1fr]">
            <HistogramTable
              counts={insights.spread.overall_rating}
              caption="Overall ratings given"
            />
            <Facts insights={insights} overall={employer.overall_rating} />
          </div>
        )}
      </section>
      <section
        aria-labelledby="category-ratings"
        className="grid gap-x-12 gap-y-3 border-t border-rule py-8 md:grid-cols-[13rem_1fr]"
      >
        <div>
          <h2 id="category-ratings" className="label-caps text-ink-faint">
            Category ratings
          </h2>
          {insights && (
            <p className="text-xs text-ink-faint lining-nums">Columns: ratings from 1 to 5 stars</p>
          )}
        </div>
        <CategoryRatings employer={employer} insights={insights} />
      </section>
    </div>
  );
}

function Facts({ insights, overall }: { insights: EmployerInsights; overall: number }) {
  const { would_recommend: recommended, recent, newest_review_at: newest } = insights;
  const average = formatAverage(recent.overall_rating);
  const differs = recent.total_reviews > 0 && average !== formatAverage(overall);
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-2">
      {recommended.answered > 0 && (
        <Fact
          term="Would recommend"
          value={`${Math.round((recommended.yes / recommended.answered) * 100)}%`}
        >
          {formatCount(recommended.yes)} of {formatCount(recommended.answered)}
        </Fact>
      )}
      {differs && (
        <Fact term={`Last ${RECENT_MONTHS} months`} value={average}>
          {plural(recent.total_reviews, 'review')}
        </Fact>
      )}
      {newest && <Fact term="Newest review" value={formatDate(newest)} />}
    </dl>
  );
}

function Fact({ term, value, children }: { term: string; value: string; children?: ReactNode }) {
  return (
    <div>
      <dt className="label-caps text-ink-faint">{term}</dt>
      <dd className="lining-nums">
        <span className="font-display text-xl">{value}</span>
        {children && <span className="block text-sm text-ink-soft">{children}</span>}
      </dd>
    </div>
  );
}

const CATEGORIES = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];

/** Laid out like a table of contents: category, leader dots, histogram, stars, and number. */
function CategoryRatings({ employer, insights }: EmployerRatingsProps) {
  return (
    <dl className="flex flex-col gap-y-2.5 text-sm">
      {CATEGORIES.map(([category, label]) => {
        const rating = employer[`avg_${category}`];
        if (!rating) return null;
        return (
          <div
            key={category}
            className="flex items-center gap-x-3 max-sm:flex-wrap sm:items-baseline sm:gap-x-4"
          >
            <dt className="text-ink-soft max-sm:min-w-0 max-sm:flex-[1_1_6rem] sm:whitespace-nowrap">
              {label}
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
