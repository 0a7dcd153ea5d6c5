import type { ComponentPropsWithRef } from 'react';
import { ERRORS } from '#contract/errors.ts';
import { PasswordField, PasswordOwner } from './password-field.tsx';

interface ConfirmPasswordFieldProps extends ComponentPropsWithRef<'input'> {
  /** Whose password it is. */
  email: string;
  error: string | undefined;
}

/** Asks for the password again, for what a log-in of some time ago may not do (`confirm_password`). */
export function ConfirmPasswordField({ email, error, ...input }: ConfirmPasswordFieldProps) {
  return (
    <>
      <PasswordOwner email={email} />
      <PasswordField
        {...input}
        label="Current password"
        hint={ERRORS.confirm_password.text}
        error={error}
        autoComplete="current-password"
      />
    </>
  );
}
