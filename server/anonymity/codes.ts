import { randomInt, timingSafeEqual } from 'node:crypto';
import { readPaperCode } from '#contract/accounts/recovery-code.ts';
import { OTP_DIGITS, OTP_TTL_MS } from '#contract/limits.ts';
import type { Clock } from './coarse-time.ts';
import type { Keys } from './keys.ts';
import { openUnexpired, sealWithExpiry } from './seal.ts';

interface CodeDeps {
  readonly keys: Pick<Keys, 'sessionIndex' | 'sealing'>;
  readonly clock: Clock;
}

/** What a mailed code is for. */
interface CodeBinding {
  readonly purpose: 'one-time-code' | 'mailbox-code';
  /** Whoever types the code must name the same. */
  readonly boundTo: string;
}

/** Mailed codes are short, so the hash is keyed: a dump cannot be searched for them. */
const hashOf = (keys: CodeDeps['keys'], { purpose, boundTo }: CodeBinding, code: string) =>
  keys.sessionIndex(purpose, `${boundTo}/${code}`);

/**
 * Makes a random code of `OTP_DIGITS` digits for a mail, and seals its hash, its end, and a value
 * under `context`, the row that it is for.
 */
export function newMailedCode<T extends object>(
  { keys, clock }: CodeDeps,
  binding: CodeBinding & { readonly context: string },
  value: T,
): { code: string; sealed: Buffer } {
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
  const hash = hashOf(keys, binding, code).toString('base64');
  const lifetime = { now: clock(), ttlMs: OTP_TTL_MS };
  return { code, sealed: sealWithExpiry(keys, binding.context, { ...value, hash }, lifetime) };
}

/** The value and the hash; null if the code has expired or its key is gone. */
export const openMailedCode = <T extends object>(
  { keys, clock }: CodeDeps,
  context: string,
  sealed: Buffer,
): (T & { hash: string }) | null => openUnexpired(keys, context, sealed, clock());

/** Compares in constant time. */
export const isMailedCode = (
  { keys }: CodeDeps,
  binding: CodeBinding,
  { hash }: { readonly hash: string },
  typed: string,
): boolean => timingSafeEqual(Buffer.from(hash, 'base64'), hashOf(keys, binding, typed));

/** Whether a code was typed from paper as it was printed. Compares in constant time. */
export function isPaperCode(printed: string, typed: string): boolean {
  const [right, given] = [Buffer.from(readPaperCode(printed)), Buffer.from(readPaperCode(typed))];
  return right.length === given.length && timingSafeEqual(right, given);
}
