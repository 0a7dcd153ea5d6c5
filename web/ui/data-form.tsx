import type { ComponentProps } from 'react';
import { flushSync } from 'react-dom';
import { cx } from './cx.ts';
import { focusFirstInvalid } from './first-invalid.ts';

interface DataFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (data: FormData) => void;
}

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
        focusFirstInvalid(form);
      }}
    />
  );
}
