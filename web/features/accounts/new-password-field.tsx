import { Check, Circle } from 'lucide-react';
import { type ComponentPropsWithRef, useId } from 'react';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

interface PasswordRule {
  readonly pattern: RegExp;
  readonly message: string;
}

interface NewPasswordFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'value'> {
  label: string;
  rules: readonly PasswordRule[];
  /** What has been typed so far. */
  typed: string;
  error: string | undefined;
}

/** A password to be chosen: each rule says whether it is met, as one types. */
export function NewPasswordField({ label, rules, typed, error, ...input }: NewPasswordFieldProps) {
  const rulesId = useId();
  // A rule's own message is in the list below: there it turns red.
  const isListed = rules.some(({ message }) => message === error);
  return (
    <Field label={label} error={isListed ? undefined : error}>
      {(control) => (
        <>
          <PasswordInput
            {...input}
            {...control}
            autoComplete="new-password"
            aria-invalid={error !== undefined || undefined}
            aria-describedby={cx(control['aria-describedby'], rulesId)}
          />
          <ul id={rulesId} className="mt-1 flex flex-col gap-0.5 text-xs">
            {rules.map(({ pattern, message }) => (
              <Rule
                key={message}
                message={message}
                isMet={pattern.test(typed)}
                isFault={error !== undefined}
              />
            ))}
          </ul>
        </>
      )}
    </Field>
  );
}

function Rule({ message, isMet, isFault }: { message: string; isMet: boolean; isFault: boolean }) {
  const Icon = isMet ? Check : Circle;
  const tone = isMet ? 'text-accent' : isFault ? 'text-danger' : 'text-ink-faint';
  return (
    <li className={cx('flex items-center gap-2', tone)}>
      <Icon aria-hidden className={cx('shrink-0', isMet ? 'size-3.5' : 'mx-0.75 size-2')} />
      <span className="sr-only">{isMet ? 'Met:' : 'Not met:'}</span>
      <span>{message}</span>
    </li>
  );
}
