import { cleanNpi } from '#contract/accounts/account-rules.ts';
import { ERRORS } from '#contract/errors.ts';
import { NPI_DIGITS } from '#contract/limits.ts';
import type { FieldSpec } from '#web/form/form-field.tsx';

/** The first and the last name of a person. */
export const nameFields = (
  takesFocus = false,
  known?: Record<'first_name' | 'last_name', string>,
): FieldSpec[] => [
  {
    name: 'first_name',
    label: 'First name',
    value: known?.first_name,
    autoComplete: 'given-name',
    takesFocus,
  },
  { name: 'last_name', label: 'Last name', value: known?.last_name, autoComplete: 'family-name' },
];

/** Spaces, hyphens, and invisible characters go as they are pasted. */
export const NPI_FIELD: FieldSpec = {
  name: 'npi',
  label: 'NPI',
  clean: cleanNpi,
  inputMode: 'numeric',
  autoComplete: 'off',
  maxLength: NPI_DIGITS,
  boxClass: 'lining-nums tabular-nums',
};

export const currentPassword = (account: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name: 'password',
  label: 'Current password',
  kind: 'password',
  autoComplete: 'current-password',
  account,
  ...more,
});

/** Asks for the password again if the login is too old for the request (`confirm_password`). */
export const confirmPassword = (account: string): FieldSpec =>
  currentPassword(account, { hint: ERRORS.confirm_password.text, takesFocus: true });

/** A new password, typed twice. It is not sent if `error` says that the two differ. */
export const newPassword = (
  name: string,
  [label, again]: readonly [label: string, again: string],
  rules: NonNullable<FieldSpec['rules']>,
  error: string,
): FieldSpec[] => {
  const shared = { kind: 'password', autoComplete: 'new-password' } as const;
  return [
    { ...shared, name, label, rules },
    { ...shared, name: 'confirm_password', label: again, repeats: [name, error] },
  ];
};

/**
 * Has two lines, so that a phone shows the whole code. Browsers and keyboards must not remember it.
 */
export const RECOVERY_CODE: FieldSpec = {
  name: 'recovery_code',
  label: 'Recovery code',
  kind: 'area',
  rows: 2,
  autoComplete: 'off',
  autoCapitalize: 'characters',
  autoCorrect: 'off',
  spellCheck: false,
  boxClass: 'resize-none font-code',
};

/** A pasted code may contain spaces. */
export const withoutSpaces = (typed: string) => typed.replaceAll(/[\s-]/g, '');
