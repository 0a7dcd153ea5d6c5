import * as z from 'zod/mini';
import { EMAIL_MAX, OTP_DIGITS } from './limits.ts';

/** A text that is not empty, trimmed. */
export const required = (message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, { error: message, abort: true }));

export const atMost = (max: number) => z.maxLength(max, `Must be at most ${max} characters`);

/** A trimmed text that may be empty. */
export const textUpTo = (max: number) => z.string().check(z.trim(), atMost(max));

/**
 * For names and titles: rejects control characters, and characters that hide or reorder others
 * (Unicode categories Cc, Cf, Zl, and Zp: line breaks, zero-width characters, bidi overrides).
 */
export const oneLine = z.regex(
  /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u,
  'Must not contain control or invisible characters',
);

/** Email addresses are compared without regard to case. */
export const Email = required('Email is required').check(
  z.maxLength(EMAIL_MAX, 'Invalid email address'),
  z.email('Invalid email address'),
);

/** A one-time code from a mail. */
export const OtpCode = required('Verification code is required').check(
  z.regex(new RegExp(`^\\d{${OTP_DIGITS}}$`), 'Please enter a valid 6-digit code'),
);
