import type { EmployerBrief } from '#contract/employers.ts';
import { formatAverage, plural } from '#web/lib/format.ts';
import { LABEL } from './label.ts';

/** The chart has room for this many years on a phone. */
const YEARS = 5;
/** The height of a bar in percent, on a scale from 1 to 5 stars. */
const heightOf = (rating: number) => Math.max(3, ((rating - 1) / 4) * 100);

/** A bar chart of the averages of the latest years. A year with too few reviews has no bar. */
export function RatingTrend({ years }: { years: EmployerBrief['by_year'] }) {
  return (
    <div>
      <h3 id="by-year" className={LABEL}>
        Rating by year
      </h3>
      <ol aria-labelledby="by-year" className="mt-1 flex gap-1.5 lining-nums tabular-nums md:gap-3">
        {years.slice(-YEARS).map((one) => (
          <Year key={one.year} {...one} />
        ))}
      </ol>
    </div>
  );
}

function Year({ year, total_reviews, overall_rating: rating }: EmployerBrief['by_year'][number]) {
  const said =
    rating === null ? 'too few reviews for an average' : `${formatAverage(rating)} stars`;
  return (
    <li className="max-w-10 min-w-6 flex-1 text-center text-xs leading-tight md:min-w-10">
      <span className="sr-only">{`${year}: ${said}, ${plural(total_reviews, 'review')}`}</span>
      <span aria-hidden>
        <span>{rating === null ? '–' : formatAverage(rating)}</span>
        <svg aria-hidden className="my-0.5 block h-7 w-full md:h-14">
          <rect width="100%" height="100%" className="fill-sunken" />
          {rating !== null && (
            <rect
              width="100%"
              y={`${100 - heightOf(rating)}%`}
              height={`${heightOf(rating)}%`}
              className="fill-accent"
            />
          )}
        </svg>
        <span className="text-ink-faint">’{String(year).slice(2)}</span>
      </span>
    </li>
  );
}
