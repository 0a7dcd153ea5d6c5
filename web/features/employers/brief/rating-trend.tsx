import type { EmployerBrief } from '#contract/employers.ts';
import { REVIEWS_OF_SUBGROUP } from '#contract/limits.ts';
import { formatAverage, plural } from '#web/lib/format.ts';
import { LABEL, tooFew } from './label.ts';

type Year = EmployerBrief['by_year'][number];

/** The chart has room for this many years on a phone. */
const YEARS = 5;
/** The place of a rating in percent from the top, with room for its dot, on a scale from 1 to 5. */
const topOf = (rating: number) => 90 - ((rating - 1) / 4) * 80;

/**
 * The averages of the latest years, as a line if at least two can be shown. A year with too few
 * reviews has none.
 */
export function RatingTrend({ years }: { years: readonly Year[] }) {
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
