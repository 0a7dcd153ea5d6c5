import type { ComponentProps } from 'react';
import { flushSync } from 'react-dom';
import { cx } from './cx.ts';
import { focusFirstInvalid } from './first-invalid.ts';

interface DataFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (data: FormData) => void;
}

/**
 * A form whose values are read when it is sent. The page validates them, not the browser, and the
 * first error gets the focus.
 */
export function DataForm({ onSubmit, className, ...rest }: DataFormProps) {
  return (
    <form
      noValidate
      {...rest}
      className={cx('print:hidden', className)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget: form } = event;
        flushSync(() => onSubmit(new FormData(form)));
        focusFirstInvalid(form);
      }}
    />
  );
}
