import { randomInt } from 'node:crypto';
import { OTP_DIGITS } from '#contract/limits.ts';

/** A new one-time code to be mailed: `OTP_DIGITS` digits. */
export const newMailedCode = (): string =>
  String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
