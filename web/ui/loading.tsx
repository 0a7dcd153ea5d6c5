import { LoaderCircle } from 'lucide-react';
import { cx } from './cx.ts';

/** Decorative, next to text that says what is happening. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cx('size-4 animate-spin', className)} />;
}

/**
 * Shown while there is nothing else to show. It is as tall as the screen, so that the footer does
 * not move into view and away again. Without script, it says why nothing will load.
 */
export function LoadingNotice({ children = 'Loading...' }: { children?: string }) {
  return (
    <>
      <NeedsScript what="page" className="px-4 py-16 text-center text-ink-soft" />
      <p
        role="status"
        className="flex min-h-dvh justify-center gap-3 py-16 text-ink-soft noscript:hidden"
      >
        <Spinner className="mt-0.5 size-5" />
        {children}
      </p>
    </>
  );
}

/** A placeholder for a line or block that is loading. Size it with `className`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={cx('block animate-pulse rounded-sm bg-rule', className)} />;
}

/** Shown without script, in place of what needs the script. */
export function NeedsScript({ what, className }: { what: 'page' | 'form'; className?: string }) {
  return (
    <noscript>
      <p className={className}>
        {`This ${what} needs JavaScript. Turn it on in your browser’s settings, then reload the page.`}
      </p>
    </noscript>
  );
}
