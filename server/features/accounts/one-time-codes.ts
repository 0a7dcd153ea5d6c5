import { randomInt, timingSafeEqual } from 'node:crypto';
import { OTP_ATTEMPTS, OTP_DIGITS, OTP_TTL_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './code-queries.ts';
import { openInTime, sealFor } from './expiring.ts';

/** A code that was right: it is used up where it is put to use. */
export interface RightCode {
  readonly addressKey: Buffer;
  readonly sealed: Buffer;
}

/** What a code is stored under: a keyed hash of the address. */
export const addressKeyOf = (keys: Pick<Keys, 'sessionIndex'>, email: string) =>
  keys.sessionIndex('one-time-code', email.toLowerCase());

/** A code is short: its hash is keyed, so that a dump cannot be searched for it. */
const codeHash = (keys: Pick<Keys, 'sessionIndex'>, email: string, code: string) =>
  keys.sessionIndex('one-time-code', `${email.toLowerCase()}/${code}`);

/** What binds a sealed code to its address. */
export const codeContext = (addressKey: Buffer) => `code/${addressKey.toString('hex')}`;

/** Makes a code for an address. It voids the one before, and has attempts of its own. */
export async function issueCode(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
): Promise<string> {
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
  const addressKey = addressKeyOf(keys, email);
  const hash = codeHash(keys, email, code).toString('base64');
  const lifetime = { now: clock(), ttlMs: OTP_TTL_MS };
  await queries.putCode(db, addressKey, sealFor(keys, codeContext(addressKey), hash, lifetime));
  return code;
}

/** Counts an attempt at the code of an address. Null when it is wrong, over, or tried too often. */
export async function tryCode(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  email: string,
  code: string,
): Promise<RightCode | null> {
  const addressKey = addressKeyOf(keys, email);
  const sealed = await queries.countAttempt(db, addressKey, OTP_ATTEMPTS);
  const hash = sealed && openInTime<string>(keys, codeContext(addressKey), sealed, clock());
  if (!sealed || !hash) return null;
  const isRight = timingSafeEqual(Buffer.from(hash, 'base64'), codeHash(keys, email, code));
  return isRight ? { addressKey, sealed } : null;
}
