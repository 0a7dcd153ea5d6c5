/** Histogram: number of ratings with 1, 2, 3, 4, and 5 stars. */
export type StarCounts = readonly [number, number, number, number, number];

/** From five stars down, in display order. */
export const downwards = (counts: StarCounts) =>
  counts.map((count, at) => ({ stars: at + 1, count })).reverse();

const starsOf = (stars: number) => `${stars} star${stars === 1 ? '' : 's'}`;

const BAR = { width: 7, gap: 2, height: 18 };

/** Five small bars, from one star to five, to show next to an average. */
export function HistogramColumns({ counts, label }: { counts: StarCounts; label: string }) {
  const most = Math.max(...counts, 1);
  const read = downwards(counts).map(({ stars, count }) => `${starsOf(stars)}: ${count}`);
  const step = BAR.width + BAR.gap;
  const column = (count: number, at: number) => {
    // An empty column keeps a visible base line.
    const height = Math.max(1, Math.round((count / most) * BAR.height));
    return `M${at * step} ${BAR.height}v-${height}h${BAR.width}v${height}z`;
  };
  // One shape, because each element of a page takes time to render.
  const shape = (isShown: (count: number) => boolean) =>
    counts.map((count, at) => (isShown(count) ? column(count, at) : '')).join('');
  return (
    <span className="flex shrink-0 items-baseline gap-1 text-xs leading-none text-ink-faint lining-nums">
      <span aria-hidden>1</span>
      <svg
        role="img"
        aria-label={`${label}. ${read.join(', ')}`}
        width={step * 5 - BAR.gap}
        height={BAR.height}
        className="shrink-0"
      >
        <path d={shape((count) => count > 0)} className="fill-accent" />
        {counts.includes(0) && <path d={shape((count) => count === 0)} className="fill-control" />}
      </svg>
      <span aria-hidden>5</span>
    </span>
  );
}
