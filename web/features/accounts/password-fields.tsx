import { Check, Circle } from 'lucide-react';
import { type ComponentPropsWithRef, useId } from 'react';
import { ERRORS } from '#contract/errors.ts';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput, TextArea } from '#web/ui/text-input.tsx';

interface PasswordFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  label: string;
  hint?: string;
  error: string | undefined;
  /** Tells a password manager which password this is. */
  autoComplete: 'current-password' | 'new-password';
}

export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput {...control} {...input} />}
    </Field>
  );
}

interface CurrentPasswordFieldProps extends ComponentPropsWithRef<'input'> {
  /** Tells a password manager whose password this is. */
  email: string;
  label?: string;
  hint?: string;
  error: string | undefined;
}

export function CurrentPasswordField({ email, ...field }: CurrentPasswordFieldProps) {
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current password" {...field} autoComplete="current-password" />
    </>
  );
}

/** Asks for the password again if the login is too old for the request (`confirm_password`). */
export const ConfirmPasswordField = (props: Omit<CurrentPasswordFieldProps, 'label' | 'hint'>) => (
  <CurrentPasswordField {...props} hint={ERRORS.confirm_password.text} />
);

interface NewPasswordFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'value'> {
  label: string;
  rules: readonly { readonly pattern: RegExp }[];
  typed: string;
  error: string | undefined;
}

/** The rules in a word each, in the order of contract/password-rules.ts. */
const NEEDS = [`${PASSWORD_MIN} characters`, 'uppercase', 'lowercase', 'number', 'symbol'];

/** Shows, as the user types, which rules the new password meets. */
export function NewPasswordField({ label, rules, typed, error, ...input }: NewPasswordFieldProps) {
  const rulesId = useId();
  return (
    <Field label={label} error={error}>
      {(control) => (
        <>
          <PasswordInput
            {...input}
            {...control}
            autoComplete="new-password"
            aria-describedby={cx(control['aria-describedby'], rulesId)}
          />
          <div id={rulesId} className="mt-1 flex flex-wrap gap-x-4 text-xs">
            <p className="w-full text-ink-soft">Your password needs:</p>
            <ul className="contents">
              {NEEDS.map((needs, place) => (
                <Rule
                  key={needs}
                  needs={needs}
                  isMet={rules[place]?.pattern.test(typed) ?? false}
                  isInvalid={error !== undefined}
                />
              ))}
            </ul>
          </div>
        </>
      )}
    </Field>
  );
}

function Rule({ needs, isMet, isInvalid }: { needs: string; isMet: boolean; isInvalid: boolean }) {
  const Icon = isMet ? Check : Circle;
  const tone = isMet ? 'text-accent' : isInvalid ? 'text-danger' : 'text-ink-faint';
  return (
    <li className={cx('flex gap-1.5', tone)}>
      <Icon
        aria-hidden
        className={cx('shrink-0', isMet ? 'mt-0.75 size-3.5' : 'mx-0.75 mt-1.5 size-2')}
      />
      <span className="sr-only">{isMet ? 'Met:' : 'Not met:'}</span>
      <span>{needs}</span>
    </li>
  );
}

interface RecoveryCodeFieldProps extends ComponentPropsWithRef<'textarea'> {
  hint?: string;
  error: string | undefined;
}

/**
 * Has two lines, so that a phone shows the whole code. Browsers and keyboards must not remember it.
 */
export function RecoveryCodeField({ hint, error, ...input }: RecoveryCodeFieldProps) {
  return (
    <Field label="Recovery code" hint={hint} error={error}>
      {(control) => (
        <TextArea
          {...control}
          {...input}
          rows={2}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          className="resize-none font-code"
        />
      )}
    </Field>
  );
}
