import { ChevronDown } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { cx } from './cx.ts';

/** The browser's select element in the style of the other controls. */
export function Select({ className, children, ...rest }: ComponentPropsWithRef<'select'>) {
  return (
    <span className={cx('relative block', className)}>
      <select
        {...rest}
        className={
          'h-12 w-full appearance-none rounded-md border border-control bg-raised pr-9 pl-3.5 text-base ' +
          'text-ink text-ellipsis transition-colors hover:border-ink-soft focus:border-accent focus:outline-2 ' +
          'focus:-outline-offset-1 focus:outline-accent aria-invalid:border-danger aria-invalid:focus:border-danger ' +
          'aria-invalid:focus:outline-offset-2 ' +
          'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint'
        }
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-5 -translate-y-1/2 text-ink-faint"
      />
    </span>
  );
}
