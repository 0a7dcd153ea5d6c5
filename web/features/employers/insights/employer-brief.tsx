import type { ReactNode } from 'react';
import { RECENT_MONTHS } from '#contract/employers/employer-choices.ts';
import type { EmployerBrief as Brief, Employer } from '#contract/employers/employers.ts';
import { REVIEWS_OF_SPECIALTY, REVIEWS_OF_SUBGROUP } from '#contract/limits.ts';
import { formatAverage, formatCount, formatDate, formatPercent, plural } from '#web/lib/format.ts';
import { CriteriaLink } from '#web/listing/chosen-filters.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { cx } from '#web/ui/cx.ts';
import { downwards, type StarCounts } from '#web/ui/rating-histogram.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { countOf, LABEL, tooFew } from './label.ts';
import type { ShownInsights } from './read-brief.ts';
import { WhatComesUp } from './what-comes-up.tsx';

type Year = Brief['by_year'][number];

/** The chart has room for this many years on a phone. */
const YEARS = 5;
/** The place of a rating in percent from the top, with room for its dot, on a scale from 1 to 5. */
const topOf = (rating: number) => 90 - ((rating - 1) / 4) * 80;

/**
 * The averages of the latest years, as a line if at least two can be shown. A year with too few
 * reviews has none.
 */
function RatingTrend({ years }: { years: readonly Year[] }) {
  const latest = years.slice(-YEARS);
  const rated = latest.filter(({ overall_rating }) => overall_rating !== null);
  return (
    <div>
      <h3 id="by-year" className={LABEL}>
        Rating by year
      </h3>
      {rated.length > 1 ? <Line years={latest} /> : <List years={latest} />}
      {rated.length > 1 && rated.length < latest.length && (
        <p className="text-xs text-ink-faint">–: {tooFew(REVIEWS_OF_SUBGROUP)}</p>
      )}
    </div>
  );
}

/** Columns without gaps, so that a line can reach the one before by percent. */
const Line = ({ years }: { years: readonly Year[] }) => (
  <ol aria-labelledby="by-year" className="mt-1 flex lining-nums tabular-nums">
    {years.map((one, at) => {
      const before = years.findLastIndex(
        ({ overall_rating }, place) => place < at && overall_rating !== null,
      );
      return (
        <Point
          key={one.year}
          {...one}
          before={years[before]?.overall_rating ?? null}
          columns={at - before}
        />
      );
    })}
  </ol>
);

interface PointProps extends Year {
  /** The average before it, and how many columns before. */
  before: number | null;
  columns: number;
}

function Point({ year, total_reviews, overall_rating: rating, before, columns }: PointProps) {
  return (
    <li className="max-w-11 min-w-7 flex-1 text-center text-xs leading-tight md:min-w-11">
      <span className="sr-only">{said({ year, total_reviews, overall_rating: rating })}</span>
      <span aria-hidden>
        <span>{rating === null ? '–' : formatAverage(rating)}</span>
        <svg aria-hidden className="my-0.5 block h-7 w-full overflow-visible md:h-12">
          {rating !== null && (
            <>
              {before !== null && (
                <line
                  x1={`${50 - 100 * columns}%`}
                  y1={`${topOf(before)}%`}
                  x2="50%"
                  y2={`${topOf(rating)}%`}
                  strokeWidth="2"
                  className="stroke-accent"
                />
              )}
              <circle cx="50%" cy={`${topOf(rating)}%`} r="3.5" className="fill-accent" />
            </>
          )}
        </svg>
        <span className="text-ink-faint">’{String(year).slice(2)}</span>
      </span>
    </li>
  );
}

const List = ({ years }: { years: readonly Year[] }) => (
  <ol aria-labelledby="by-year" className="mt-1 text-sm leading-tight text-ink-soft lining-nums">
    {years.map((one) => (
      <li key={one.year}>{said(one)}</li>
    ))}
  </ol>
);

const said = ({ year, total_reviews, overall_rating: rating }: Year) => {
  const reviews = plural(total_reviews, 'review');
  if (rating === null) return `${year}: ${reviews}, ${tooFew(REVIEWS_OF_SUBGROUP)}`;
  return `${year}: ${formatAverage(rating)} stars, ${reviews}`;
};

/**
 * The averages of current and former employees, side by side. A group with too few reviews has no
 * average.
 */
function EmploymentRatings({ current, former }: Brief['by_employment']) {
  const groups = [
    ['Current employees', current],
    ['Former employees', former],
  ] as const;
  return (
    <dl className="grid content-start gap-y-1.5 md:gap-y-3">
      {groups.map(([label, { total_reviews, overall_rating }]) => (
        <div key={label}>
          <dt className={LABEL}>{label}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2 leading-tight lining-nums">
            {overall_rating !== null && (
              <span className="font-display text-xl leading-none">
                {formatAverage(overall_rating)}
              </span>
            )}
            <span className="text-sm text-ink-soft">{countOf(total_reviews, overall_rating)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

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
