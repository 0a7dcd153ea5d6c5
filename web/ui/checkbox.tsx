import type { ComponentPropsWithRef, ReactNode } from 'react';
import { cx } from './cx.ts';

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  label: ReactNode;
}

export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return <Choice {...rest} type="checkbox" label={label} className={className} />;
}

/** One of a group; the `<fieldset>` and its legend are the form's. */
export function Radio({ label, className, ...rest }: CheckboxProps) {
  return <Choice {...rest} type="radio" label={label} className={className} />;
}

function Choice({
  label,
  className,
  ...rest
}: CheckboxProps & { type: 'checkbox' | 'radio'; className: string | undefined }) {
  return (
    <label
      className={cx('flex min-h-11 items-center gap-3 has-disabled:text-ink-faint', className)}
    >
      <input {...rest} className="size-5 shrink-0" />
      <span>{label}</span>
    </label>
  );
}
