import { randomInt, timingSafeEqual } from 'node:crypto';
import { LETTER_CODE_LENGTH } from '#contract/verification.ts';

/** Crockford's Base32 (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Letters that look like digits. */
const LOOKALIKES: Record<string, string> = { I: '1', L: '1', O: '0' };
const GROUP = 5;

/** 50 random bits. */
export function newLetterCode(): string {
  const digits = Array.from({ length: LETTER_CODE_LENGTH }, () => ALPHABET[randomInt(32)]);
  return digits.join('');
}

/** As printed: `XXXXX-XXXXX`. */
export const shownCode = (code: string) => `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;

const plain = (typed: string) =>
  typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[ILO]/g, (letter) => LOOKALIKES[letter] ?? letter);

/** Compares in constant time. Ignores case, spaces, and hyphens; reads O as 0, I and L as 1. */
export function isLetterCode(code: string, typed: string): boolean {
  const [right, given] = [Buffer.from(code), Buffer.from(plain(typed))];
  return right.length === given.length && timingSafeEqual(right, given);
}
