import * as z from 'zod/mini';
import { DECISION_REASON_MAX, EMAIL_MAX, OTP_DIGITS } from './limits.ts';

/**
 * A visible character: not a space, a control or format character, or one that shows nothing, such
 * as a blank letter or a variation selector. A mark alone, without a letter, does not count.
 */
const VISIBLE = /[^\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A trimmed text with at least one visible character. */
export const required = (message: string) =>
  z.string(message).check(z.trim(), z.regex(VISIBLE, { error: message, abort: true }));

export const atMost = (max: number) => z.maxLength(max, `Must be at most ${max} characters`);

/** A trimmed text, possibly empty. */
export const textUpTo = (max: number) => z.string().check(z.trim(), atMost(max));

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

/** The syntax of HTML's `type=email` (HTML Living Standard), with a dot in the domain. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** Email addresses are compared without regard to case. */
export const Email = required('Email is required').check(
  z.maxLength(EMAIL_MAX, { error: 'Invalid email address', abort: true }),
  z.email({ error: 'Invalid email address', pattern: EMAIL }),
);

/** A one-time code from an email. */
export const OtpCode = required('Verification code is required').check(
  z.regex(new RegExp(`^\\d{${OTP_DIGITS}}$`), 'Please enter a valid 6-digit code'),
);
