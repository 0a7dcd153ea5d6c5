import type { ComponentPropsWithRef } from 'react';
import { cx } from './cx.ts';

/** A sheet laid on the page: for forms and boxes of facts. Lists are set with rules instead. */
export function Card({ className, ...rest }: ComponentPropsWithRef<'div'>) {
  return (
    <div
      {...rest}
      className={cx('rounded-md border border-rule bg-raised p-5 sm:p-7', className)}
    />
  );
}
