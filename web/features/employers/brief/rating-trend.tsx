import type { EmployerBrief } from '#contract/employers.ts';
import { formatAverage, plural } from '#web/lib/format.ts';

/** The chart has room for this many years on a phone. */
const YEARS = 5;
const HEIGHT = 28;
/** From 1 to 5 stars. */
const SCALE = 4;

/** The average of each of the latest years, as columns. Years with a few reviews have none. */
export function RatingTrend({ years }: { years: EmployerBrief['by_year'] }) {
  return (
    <div>
      <h3 id="by-year" className="label-caps text-ink-faint">
        Rating by year
      </h3>
      <ol aria-labelledby="by-year" className="mt-1 flex gap-2 lining-nums tabular-nums sm:gap-3">
        {years.slice(-YEARS).map((one) => (
          <Year key={one.year} {...one} />
        ))}
      </ol>
    </div>
  );
}

function Year({ year, total_reviews, overall_rating: rating }: EmployerBrief['by_year'][number]) {
  // An empty column keeps a visible base line.
  const height = rating === null ? 1 : Math.max(2, Math.round(((rating - 1) / SCALE) * HEIGHT));
  const said =
    rating === null ? 'too few reviews for an average' : `${formatAverage(rating)} stars`;
  return (
    <li className="text-center text-xs leading-tight">
      <span className="sr-only">{`${year}: ${said}, ${plural(total_reviews, 'review')}`}</span>
      <span aria-hidden>
        {rating === null ? '–' : formatAverage(rating)}
        <svg aria-hidden width="100%" height={HEIGHT} className="my-0.5 block min-w-5">
          <rect
            width="100%"
            y={HEIGHT - height}
            height={height}
            className={rating === null ? 'fill-control' : 'fill-accent'}
          />
        </svg>
        <span className="text-ink-faint">’{String(year).slice(2)}</span>
      </span>
    </li>
  );
}
