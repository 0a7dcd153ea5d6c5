import { Award } from 'lucide-react';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { tooFew } from '#web/features/employers/insights/label.ts';
import { plural } from '#web/lib/format.ts';
import type { FigureCell as Cell, FigureRow } from './comparison-rows.ts';

/** For fewer than `REVIEWS_TO_COMPARE` reviews. */
export const TOO_FEW_TO_TELL = 'Too few reviews to tell';

/**
 * A figure, and below it the reviews that it is based on, unless the row of all reviews says it. A
 * figure that is missing says why.
 */
export function FigureCell({
  cell: { text, further, reviews, differs, isBest, isFew },
}: {
  cell: Cell;
}) {
  // An average of so few reviews of a specialty would reveal each of them.
  const isHidden = text === null && reviews > 0;
  return (
    <>
      <span className="figure">
        {text ?? <Unknown />}
        {isBest && (
          <span className="best">
            <Award aria-hidden className="size-3.5" />
            Best
          </span>
        )}
      </span>
      {further && <span className="further">{further}</span>}
      {(differs || isHidden) && (
        <span className="made-from">
          <span>{reviews === 0 ? 'No reviews' : plural(reviews, 'review')}</span>
          {isFew && <span> {isHidden ? tooFew(REVIEWS_OF_SPECIALTY) : TOO_FEW_TO_TELL}</span>}
        </span>
      )}
    </>
  );
}

/**
 * The figures of a row on one axis: for each, a dot, and the range that one further review could
 * move it to. Hidden from screen readers, which read both in the cells.
 */
export function Axis({
  row: { cells, ends },
  letterOf,
}: {
  row: FigureRow;
  letterOf: (id: number) => string;
}) {
  const shown = cells.filter(({ range }) => range);
  if (shown.length === 0) return null;
  return (
    <span aria-hidden className="axis">
      {shown.map(({ id, place, range, isBest }) => (
        <span key={id}>
          <b>{letterOf(id)}</b>
          <svg aria-hidden data-best={isBest || undefined}>
            <line x2="100%" y1="50%" y2="50%" />
            <line x1={percent(range?.[0])} x2={percent(range?.[1])} y1="50%" y2="50%" />
            <circle cx={percent(place)} cy="50%" r="4" />
          </svg>
        </span>
      ))}
      <span>
        {ends.map((end) => (
          <i key={end}>{end}</i>
        ))}
      </span>
    </span>
  );
}

const percent = (share = 0) => `${Math.round(share * 1000) / 10}%`;

export function Unknown() {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">Unknown</span>
    </span>
  );
}
