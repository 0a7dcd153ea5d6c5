import { Stars } from './stars.tsx';

export interface LabelledRating {
  label: string;
  rating: number;
}

/** Ratings set like a table of contents: a term, leader dots, stars, and the figure. */
export function RatingList({ ratings }: { ratings: readonly LabelledRating[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17.5rem),1fr))] gap-x-12 gap-y-1 text-sm">
      {ratings.map(({ label, rating }) => (
        <div key={label} className="flex items-baseline gap-2">
          <dt className="text-ink-soft">{label}</dt>
          <span aria-hidden className="leader-dots" />
          <dd className="flex items-baseline gap-2">
            <Stars rating={rating} size="sm" />
            <span aria-hidden className="min-w-[1ch] lining-nums tabular-nums">
              {rating}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
