import * as z from 'zod/mini';

/** Digits and letters that are hard to confuse (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 25 characters of 5 bits each: too long to guess, so no slow hash is needed. */
export const RECOVERY_CODE_LENGTH = 25;
const GROUP = 5;

/** Normalizes a code typed from paper: any case, spaces, hyphens; O counts as 0, I and L as 1. */
export function readPaperCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
}

export function isRecoveryCode(typed: string): boolean {
  const code = readPaperCode(typed);
  return code.length === RECOVERY_CODE_LENGTH && [...code].every((one) => ALPHABET.includes(one));
}

/**
 * Generates a code for paper, of 5 random bits a character, in groups of five: `7K2MD-…`. Works in the
 * browser and on the server.
 */
export function newPaperCode(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  const code = Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return Array.from({ length: length / GROUP }, (_, at) =>
    code.slice(at * GROUP, (at + 1) * GROUP),
  ).join('-');
}

export const newRecoveryCode = (): string => newPaperCode(RECOVERY_CODE_LENGTH);

export const RECOVERY_CODE_MALFORMED =
  'A recovery code has 25 letters and digits. Please check what you typed.';
export const RECOVERY_CODE_WRONG = 'This recovery code does not fit your account.';

/** Generous: people type spaces and hyphens. */
const TYPED_MAX = 100;

export const RecoveryCode = z
  .string('Recovery code is required')
  .check(
    z.minLength(1, { error: 'Recovery code is required', abort: true }),
    z.maxLength(TYPED_MAX, { error: RECOVERY_CODE_MALFORMED, abort: true }),
    z.refine(isRecoveryCode, RECOVERY_CODE_MALFORMED),
  );
