import type { ReactNode } from 'react';
import { RECENT_MONTHS } from '#contract/employer-choices.ts';
import type { Employer } from '#contract/employers.ts';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { formatAverage, formatCount, formatDate, formatPercent, plural } from '#web/lib/format.ts';
import { CriteriaLink } from '#web/listing/chosen-filters.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { cx } from '#web/ui/cx.ts';
import { downwards, type StarCounts } from '#web/ui/rating-histogram.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { EmploymentRatings } from './employment-ratings.tsx';
import { countOf, LABEL } from './label.ts';
import { RatingTrend } from './rating-trend.tsx';
import type { ShownInsights } from './read-brief.ts';
import { WhatComesUp } from './what-comes-up.tsx';

/** With fewer reviews, most bars would be empty. */
const BARS_FROM = 5;

interface RatingBarsProps {
  counts: StarCounts;
  form: ListForm;
  /** The id of the heading of the reviews, which a choice scrolls to. */
  headingId: string;
}

/**
 * How many reviews gave each number of stars. Choosing one filters the reviews. Choosing it again
 * clears the filter.
 */
function RatingBars({ counts, form, headingId }: RatingBarsProps) {
  const total = sumOf(counts);
  const isCompact = total < BARS_FROM;
  const rows = downwards(counts).filter(({ count }) => count > 0 || !isCompact);
  return (
    <div className="text-sm lining-nums tabular-nums">
      {isCompact && <p>{`${sumOf(counts.slice(3))} of ${total} rate it 4 or 5`}</p>}
      <ul
        aria-label="Overall ratings given"
        className={cx(isCompact && 'mt-1 flex flex-wrap gap-x-4')}
      >
        {rows.map((row) => (
          <li key={row.stars}>
            <Rating {...{ ...row, form, headingId }}>
              {!isCompact && <Bar percent={(row.count / total) * 100} />}
            </Rating>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RatingProps extends Omit<RatingBarsProps, 'counts'> {
  stars: number;
  count: number;
  /** The bar, if there is one. */
  children: ReactNode;
}

/** A rating that no review gave is no link. */
function Rating({ stars, count, form, headingId, children }: RatingProps) {
  const { min_rating, max_rating, ...others } = form.values;
  const rating = String(stars);
  const isCurrent = min_rating === rating && max_rating === rating;
  const className = cx(
    'min-h-6 items-center gap-x-2 print:min-h-0',
    children ? 'grid grid-cols-[3.5rem_1fr_2.5rem]' : 'inline-flex',
    isCurrent && 'font-semibold text-accent',
  );
  const content = (
    <>
      <span className={cx(!isCurrent && 'text-ink-soft')}>{plural(stars, 'star')}</span>
      {children}
      <span className="text-right">
        {count}
        <span className="sr-only"> {count === 1 ? 'review' : 'reviews'}</span>
      </span>
    </>
  );
  if (count === 0) return <span className={className}>{content}</span>;
  return (
    <CriteriaLink
      form={form}
      to={isCurrent ? others : { ...others, min_rating: rating, max_rating: rating }}
      headingId={headingId}
      leadsToHeading
      isCurrent={isCurrent}
      className={cx(className, 'no-underline hover:bg-sunken')}
    >
      {content}
    </CriteriaLink>
  );
}

const Bar = ({ percent }: { percent: number }) => (
  <svg aria-hidden className="block h-2.5 w-full">
    <rect width="100%" height="100%" className="fill-sunken" />
    <rect width={`${percent}%`} height="100%" className="fill-accent" />
  </svg>
);

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

interface EmployerBriefProps {
  employer: Employer;
  /** Null if it could not be loaded. Then only the average is shown. */
  brief: ShownInsights | null;
  form: ListForm;
  headingId: string;
}

/**
 * What the reviews say at a glance. On a phone, it fills the first screen. Renders nothing if there
 * are no reviews.
 */
export function EmployerBrief({ employer, brief, form, headingId }: EmployerBriefProps) {
  const { overall_rating: rating, total_reviews } = employer;
  if (total_reviews === 0 || rating === null) return null;
  return (
    <section
      aria-labelledby="overall-rating"
      className="flex flex-col gap-y-3 border-t border-ink py-3 md:gap-y-7 md:py-7 print:gap-y-2 print:py-2"
    >
      {/* Two columns on a phone, or one with large text. */}
      <div className="flex flex-wrap gap-x-4 gap-y-3 *:odd:flex-[1.3_1_max(9rem,45%)] *:even:flex-[1_1_max(7rem,35%)] md:grid md:grid-cols-2 md:gap-y-7 lg:grid-cols-4 print:grid-cols-4 print:gap-y-2">
        <div>
          <h2 id="overall-rating" className={LABEL}>
            Overall rating
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="font-display text-4xl leading-none lining-nums">
              {formatAverage(rating)}
            </span>
            <Stars rating={rating} />
          </p>
          <p className="mt-1 text-sm text-ink-soft lining-nums">
            Based on {plural(total_reviews, 'review')}
          </p>
          {brief?.subgroup && <OfSpecialty {...brief.subgroup} />}
        </div>
        {brief && <Recommended brief={brief} />}
        {brief && <RatingTrend years={brief.by_year} />}
        {brief && <EmploymentRatings {...brief.by_employment} />}
      </div>
      {brief && <WhatComesUp concerns={brief.concerns} form={form} headingId={headingId} />}
      {brief && (
        <div className="grid items-start gap-x-12 gap-y-5 md:grid-cols-[minmax(0,24rem)_1fr]">
          <RatingBars counts={brief.spread.overall_rating} form={form} headingId={headingId} />
          <Recent brief={brief} overall={rating} />
        </div>
      )}
    </section>
  );
}

type Subgroup = NonNullable<ShownInsights['subgroup']>;

/** The overall rating of the chosen specialty, next to that of all. */
function OfSpecialty({ specialty, overall_rating, total_reviews }: Subgroup) {
  return (
    <p className="mt-1 text-sm text-ink-soft lining-nums">
      <span>{`${specialty}: `}</span>
      {overall_rating !== null && (
        <span className="font-display text-xl leading-none text-ink">
          {formatAverage(overall_rating)}
        </span>
      )}
      <span>{` ${countOf(total_reviews, overall_rating, REVIEWS_OF_SPECIALTY)}`}</span>
    </p>
  );
}

function Recommended({ brief: { would_recommend, subgroup } }: { brief: ShownInsights }) {
  const { yes, answered } = would_recommend;
  const share = subgroup?.recommend_share ?? null;
  if (answered === 0) return null;
  return (
    <dl>
      <dt className={LABEL}>Would recommend</dt>
      <dd className="mt-1 lining-nums">
        <span className="block font-display text-4xl leading-none">
          {formatPercent(yes / answered)}
        </span>
        <span className="mt-1 block text-sm text-ink-soft">
          {formatCount(yes)} of {formatCount(answered)}
        </span>
        {subgroup && share !== null && (
          <span className="mt-1 block text-sm text-ink-soft">
            {`${subgroup.specialty}: `}
            <span className="font-display text-xl leading-none text-ink">
              {formatPercent(share)}
            </span>
          </span>
        )}
      </dd>
    </dl>
  );
}

function Recent({ brief, overall }: { brief: ShownInsights; overall: number }) {
  const { recent, newest_review_at: newest } = brief;
  const average = formatAverage(recent.overall_rating);
  const differs = recent.total_reviews > 0 && average !== formatAverage(overall);
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
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
      <dt className={LABEL}>{term}</dt>
      <dd className="lining-nums">
        <span className="font-display text-xl">{value}</span>
        {children && <span className="block text-sm text-ink-soft">{children}</span>}
      </dd>
    </div>
  );
}
