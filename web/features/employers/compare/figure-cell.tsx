import { Award } from 'lucide-react';
import { formatDate, plural } from '#web/lib/format.ts';
import type { FigureCell as Cell } from './comparison-rows.ts';

interface FigureCellProps {
  cell: Cell;
  /** The day of the newest review. */
  newest: string | null;
}

/** A figure, and below it the reviews that it is based on. */
export function FigureCell({
  cell: { text, length, reviews, isBest, isFew },
  newest,
}: FigureCellProps) {
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
      {text !== null && <Bar length={length} isBest={isBest} />}
      <span className="made-from">
        <span>{reviews === 0 ? 'No reviews' : plural(reviews, 'review')}</span>
        {reviews > 0 && newest && <span> newest {formatDate(newest)}</span>}
        {isFew && <span> Too few reviews to tell</span>}
      </span>
    </>
  );
}

/** Hidden from screen readers, which read the figure itself. */
function Bar({ length, isBest }: { length: number; isBest: boolean }) {
  return (
    <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="bar">
      <path d="M0 2H100" strokeWidth="4" className="stroke-rule" />
      <path
        d={`M0 2H${Math.max(1, Math.round(100 * length))}`}
        strokeWidth="4"
        className={isBest ? 'stroke-accent' : 'stroke-ink-faint'}
      />
    </svg>
  );
}

export function Unknown() {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">Unknown</span>
    </span>
  );
}
