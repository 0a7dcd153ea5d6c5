import type { ErrorCode } from '#contract/errors.ts';
import { sentences } from '#web/form/form.tsx';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';

/** Error texts that only the pages use. */
export const FAILURES = {
  login: 'Login failed. Please try again.',
  signup: 'Signup failed. Please try again.',
  verify: 'Verification failed. Please try again.',
  resend: 'Failed to resend code. Please try again.',
  network: 'Network error. Please try again.',
  forgot: 'Failed to send password reset email.',
  forgotTooOften: 'Too many password reset attempts. Please try again later.',
  reset: 'Failed to reset password.',
  profileReset: 'Failed to send password reset email. Please try again.',
  profileLoad: 'Failed to load profile.',
  profileUpdate: 'Failed to update profile. Please try again.',
  export: 'Failed to download your data. Please try again.',
  verificationLoad: 'Failed to load your verification steps.',
  check: 'Failed to check again. Please try again.',
  letter: 'Failed to order the letter. Please try again.',
  mailbox: 'Failed to send the code. Please try again.',
  proofCode: 'Failed to check the code. Please try again.',
  lockLoad: 'Failed to check whether your reviews are locked.',
  lock: 'Failed to lock your reviews. Please try again.',
  lockNoAnswer:
    'We got no response. Your reviews may already be locked. Keep your recovery code and try again.',
  unlock: 'Failed to unlock your reviews. Please try again.',
  deletion: 'Failed to delete your account. Please try again.',
} as const;

/** The server's text, or the screen's own. */
export function authFailure(error: ApiError, fallback: string): string {
  const body = error.response?.body;
  return (
    textMember(body, 'error') ??
    textMember(body, 'message') ??
    textMember(body, 'detail') ??
    fallback
  );
}

/** The `failure` of a form: the server's text, or the form's own, unless a field says what is wrong. */
export const failureOr = (fallback: string) => (error: ApiError, isAtField: boolean) =>
  !isAtField && authFailure(error, fallback);

/** Like `authFailure`, but the sign-up screens have their own text for a network error. */
export const signupFailure = (error: ApiError, fallback: string): string =>
  error.status === null ? FAILURES.network : authFailure(error, fallback);

/** Whether the request needs the password again because the login is too old. */
export function asksForPassword(error: ApiError): boolean {
  const code: ErrorCode = 'confirm_password';
  return textMember(error.response?.body, 'code') === code;
}

/** In the order of docs/product/accounts.md, "My Account". */
export function profileFailure(error: ApiError): string {
  const body = (error.response?.body ?? {}) as Record<string, unknown>;
  const server = textMember(body, 'error');
  if (server !== undefined) return server;
  if (Array.isArray(body['details'])) return `Update failed: ${body['details'].join(', ')}`;
  const username = sentences(body['username']);
  if (username) return `Username error: ${username}`;
  const email = sentences(body['email']);
  if (email) return `Email error: ${email}`;
  return FAILURES.profileUpdate;
}
