import { LoaderCircle } from 'lucide-react';
import { cx } from './cx.ts';

/** An ornament beside the words that say what is going on. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cx('size-4 animate-spin', className)} />;
}

/** Where there is nothing else to show yet. */
export function LoadingNotice({ children = 'Loading...' }: { children?: string }) {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-ink-soft">
      <Spinner className="size-5" />
      {children}
    </p>
  );
}
