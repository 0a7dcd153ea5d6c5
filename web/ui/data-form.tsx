import type { ComponentProps } from 'react';
import { flushSync } from 'react-dom';
import { cx } from './cx.ts';

interface DataFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (data: FormData) => void;
}

/** The first field with an error, or the first choice of a group with one. */
const INVALID = '[aria-invalid], fieldset[aria-describedby] input';

/**
 * A form that is read when it is sent. The page checks the values, not the browser, and the focus
 * goes to the first error.
 */
export function DataForm({ onSubmit, className, ...rest }: DataFormProps) {
  return (
    <form
      noValidate
      {...rest}
      className={cx('print:hidden', className)}
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget: form } = event;
        flushSync(() => onSubmit(new FormData(form)));
        form.querySelector<HTMLElement>(INVALID)?.focus();
      }}
    />
  );
}
