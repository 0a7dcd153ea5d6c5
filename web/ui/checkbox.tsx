import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  label: ReactNode;
  /** An explanation of the choice, in smaller type below the label. */
  hint?: ReactNode;
}

export function Checkbox({ className, ...rest }: CheckboxProps) {
  return <Choice {...rest} type="checkbox" className={className} />;
}

/** One of a group. The form provides the `<fieldset>` and its legend. */
export function Radio({ className, ...rest }: CheckboxProps) {
  return <Choice {...rest} type="radio" className={className} />;
}

function Choice({
  label,
  hint,
  className,
  ...rest
}: CheckboxProps & { type: 'checkbox' | 'radio'; className: string | undefined }) {
  const id = useId();
  // The hint is the description, not part of the name.
  const described = hint && {
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-hint`,
  };
  return (
    <label
      className={cx('flex min-h-11 items-center gap-3 has-disabled:text-ink-faint', className)}
    >
      <input {...described} {...rest} className="size-5 shrink-0" />
      <span className={hint ? 'py-1.5' : undefined}>
        <span id={hint ? `${id}-label` : undefined}>{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-ink-faint">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
