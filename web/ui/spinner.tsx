import { LoaderCircle } from 'lucide-react';
import { cx } from './cx.ts';

/** Decorative, next to text that says what is happening. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cx('size-4 animate-spin', className)} />;
}

/** While there is nothing else to show. */
export function LoadingNotice({ children = 'Loading...' }: { children?: string }) {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-ink-soft">
      <Spinner className="size-5" />
      {children}
    </p>
  );
}
