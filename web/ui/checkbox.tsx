import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

interface ChoiceProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  label: ReactNode;
  /** An explanation of the choice, in smaller type below the label. */
  hint?: ReactNode;
}

export const Checkbox = (props: ChoiceProps) => <Choice {...props} type="checkbox" />;

/** One of a group. The form provides the `<fieldset>` and its legend. */
export const Radio = (props: ChoiceProps) => <Choice {...props} type="radio" />;

function Choice({ label, hint, className, ...rest }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const id = useId();
  // The hint is the description, not part of the name.
  const described = hint && {
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-hint`,
  };
  return (
    <label className={cx('flex min-h-11 gap-3', rest.disabled && 'text-ink-faint', className)}>
      <input {...described} {...rest} className="mt-3 size-5 shrink-0" />
      <span className="min-w-0 py-2 wrap-anywhere">
        <span id={hint ? `${id}-label` : undefined}>{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-ink-faint first-letter:uppercase">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
