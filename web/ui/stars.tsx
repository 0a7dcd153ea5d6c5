import { cx } from './cx.ts';

const SIZES = { sm: 'text-xs', md: 'text-base', lg: 'text-xl' } as const;

interface StarsProps {
  /** 0 to 5, shown to the nearest half. */
  rating: number;
  size?: keyof typeof SIZES;
  className?: string;
}

/** Five stars, with halves (web/styles/stars.css). */
export function Stars({ rating, size = 'md', className }: StarsProps) {
  return (
    <span
      role="img"
      aria-label={`${Number(rating.toFixed(1))} out of 5 stars`}
      data-halves={Math.round(rating * 2)}
      className={cx('stars', SIZES[size], className)}
    />
  );
}
