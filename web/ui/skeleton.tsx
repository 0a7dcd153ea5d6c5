import { cx } from './cx.ts';

/** Holds the place of a line or a block that is on its way. Size it with `className`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={cx('block animate-pulse rounded-sm bg-rule', className)} />;
}
