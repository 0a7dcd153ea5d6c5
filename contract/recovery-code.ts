import * as z from 'zod/mini';

/** Digits and letters that are hard to confuse (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 25 characters of 5 bits each: too long to guess, so no slow hash is needed. */
export const RECOVERY_CODE_LENGTH = 25;
const GROUP = 5;

/** Normalizes a code typed from paper: any case, spaces, hyphens; O counts as 0, I and L as 1. */
export function readRecoveryCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

export function isRecoveryCode(typed: string): boolean {
  const code = readRecoveryCode(typed);
  return code.length === RECOVERY_CODE_LENGTH && [...code].every((one) => ALPHABET.includes(one));
}

/** Generates a code in groups of five: `7K2MD-…`. Works in the browser and on the server. */
export function newRecoveryCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_LENGTH));
  const code = Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return Array.from({ length: RECOVERY_CODE_LENGTH / GROUP }, (_, at) =>
    code.slice(at * GROUP, (at + 1) * GROUP),
  ).join('-');
}

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
