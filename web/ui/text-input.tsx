import type { ComponentPropsWithRef } from 'react';
import { cx } from './cx.ts';

const CONTROL =
  'w-full rounded-md border border-control bg-raised text-base text-ink placeholder:text-ink-faint ' +
  'hover:border-ink-soft focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint ' +
  'read-only:bg-sunken transition-colors';

/** At least 16 px text: below that, phones zoom in on focus. */
export function TextInput({ className, type = 'text', ...rest }: ComponentPropsWithRef<'input'>) {
  return <input {...rest} type={type} className={cx(CONTROL, 'h-12 px-3.5', className)} />;
}

export function TextArea({ className, rows = 4, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return (
    <textarea {...rest} rows={rows} className={cx(CONTROL, 'min-h-24 px-3.5 py-2.5', className)} />
  );
}
