import { cx } from './cx.ts';

/** A placeholder for a line or block that is loading. Size it with `className`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={cx('block animate-pulse rounded-sm bg-rule', className)} />;
}
