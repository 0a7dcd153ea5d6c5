import * as z from 'zod/mini';
import { DECISION_REASON_MAX, EMAIL_MAX, OTP_DIGITS } from './limits.ts';

/** A text that is not empty, trimmed. */
export const required = (message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, { error: message, abort: true }));

export const atMost = (max: number) => z.maxLength(max, `Must be at most ${max} characters`);

/** A trimmed text, possibly empty. */
export const textUpTo = (max: number) => z.string().check(z.trim(), atMost(max));

/** At least one visible character: not a space, control or format character, or blank letter. */
export const VISIBLE = /[^\s\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

/**
 * For names and titles: rejects control characters, and characters that hide or reorder others
 * (Unicode categories Cc, Cf, Zl, and Zp: line breaks, zero-width characters, bidi overrides).
 */
export const oneLine = z.regex(
  /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u,
  'Must not contain control or invisible characters',
);

/** A staff member's reason for a decision, for the audit log. */
export const DecisionReason = required('Please give a reason').check(atMost(DECISION_REASON_MAX));

/** Email addresses are compared without regard to case. */
export const Email = required('Email is required').check(
  z.maxLength(EMAIL_MAX, 'Invalid email address'),
  z.email('Invalid email address'),
);

/** A one-time code from a mail. */
export const OtpCode = required('Verification code is required').check(
  z.regex(new RegExp(`^\\d{${OTP_DIGITS}}$`), 'Please enter a valid 6-digit code'),
);
