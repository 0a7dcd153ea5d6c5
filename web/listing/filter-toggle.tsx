import { SlidersHorizontal } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Opens the filters, and says how many are set. */
export function FilterToggle({
  count,
  children,
  ...rest
}: ComponentPropsWithRef<'button'> & { count: number }) {
  return (
    <Button {...rest} variant="secondary" className="min-h-12 px-4 noscript:hidden">
      <SlidersHorizontal aria-hidden className="size-4" />
      Filters
      {count > 0 && (
        <span className="grid min-w-6 place-items-center rounded-full bg-accent px-1.5 text-xs leading-6 text-on-accent lining-nums">
          {count}
          <span className="sr-only"> active</span>
        </span>
      )}
      {children}
    </Button>
  );
}
