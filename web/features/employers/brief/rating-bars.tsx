import type { ReactNode } from 'react';
import { plural } from '#web/lib/format.ts';
import { CriteriaLink } from '#web/listing/chosen-filters.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { cx } from '#web/ui/cx.ts';
import { downwards, type StarCounts } from '#web/ui/rating-histogram.tsx';

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
export function RatingBars({ counts, form, headingId }: RatingBarsProps) {
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
