import { randomInt } from 'node:crypto';
import { OTP_DIGITS } from '#contract/limits.ts';

/** Makes a random one-time code of `OTP_DIGITS` digits, to be sent by mail. */
export const newMailedCode = (): string =>
  String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
