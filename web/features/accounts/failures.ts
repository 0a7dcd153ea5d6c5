import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';

/** Texts that only the browser needs. */
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
  verificationLoad: 'Failed to load your steps to verification.',
  check: 'Failed to check again. Please try again.',
  letter: 'Failed to order the letter. Please try again.',
  mailbox: 'Failed to send the code. Please try again.',
  proofCode: 'Failed to check the code. Please try again.',
  lockLoad: 'Failed to load whether your reviews are locked.',
  lock: 'Failed to lock your reviews. Please try again.',
  lockNoAnswer:
    'We got no answer. Your reviews may be locked already. Keep your recovery code, and try again.',
  unlock: 'Failed to unlock your reviews. Please try again.',
  deletion: 'Failed to delete your account. Please try again.',
} as const;

/** What the server says, else the screen's own text. Anything but an ApiError is a fault of ours. */
export function authFailure(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) throw error;
  const body = error.response?.body;
  return (
    textMember(body, 'error') ??
    textMember(body, 'message') ??
    textMember(body, 'detail') ??
    fallback
  );
}

/** As `authFailure`; the sign-up screens tell a dead network from a refusal. */
export function signupFailure(error: unknown, fallback: string): string {
  const isNetwork = error instanceof ApiError && error.status === null;
  return isNetwork ? FAILURES.network : authFailure(error, fallback);
}

/** The log-in is not fresh: the same request needs the password. */
export function asksForPassword(error: unknown): boolean {
  const code: ErrorCode = 'confirm_password';
  return error instanceof ApiError && textMember(error.response?.body, 'code') === code;
}

/** Field -> what the server found wrong with it. */
export function fieldFailures(error: unknown): [string, string][] {
  if (!(error instanceof ApiError) || error.status !== 400) return [];
  return Object.entries(error.errors ?? {}).flatMap(([field, messages]) => {
    const text = sentences(messages);
    return text === '' ? [] : [[field, text]];
  });
}

/** The order of docs/product/accounts.md, "My Account". */
export function profileFailure(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
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

const sentences = (messages: unknown) =>
  [messages]
    .flat()
    .filter((message) => typeof message === 'string')
    .join(' ');
