import { timingSafeEqual } from 'node:crypto';
import type { SignupDetails } from '#contract/accounts.ts';
import { OTP_ATTEMPTS, OTP_TTL_MS } from '#contract/limits.ts';
import { openUnexpired, sealWithExpiry } from '#server/anonymity/expiring-seal.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { newMailedCode } from '#server/anonymity/mailed-code.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { derivePasswordKey } from '../password/passwords.ts';
import * as queries from './code-queries.ts';

/** A code that was right: it is used up where it is put to use. */
export interface RightCode {
  readonly addressKey: Buffer;
  readonly detailsKey: Buffer;
  readonly sealed: Buffer;
}

/**
 * Sending a new code gives a sign-up new attempts, but no more than this many in all: whoever has
 * codes sent to a mailbox that is not theirs cannot guess without end.
 */
const ATTEMPTS_IN_ALL = 3 * OTP_ATTEMPTS;
const SALT_BYTES = 16;

/** What the sign-ups of an address have in common: a keyed hash of it. */
export const addressKeyOf = (keys: Pick<Keys, 'sessionIndex'>, email: string) =>
  keys.sessionIndex('one-time-code', email.toLowerCase());

/**
 * What a sign-up is stored under: a keyed hash of the very details that asked for the code. Of
 * these only the password is secret. It goes in as its argon2id hash, so that whoever steals the
 * database and the key tries passwords no faster than those of accounts.
 */
export async function detailsKeyOf(
  keys: Pick<Keys, 'sessionIndex'>,
  { email, first_name, last_name, npi, password }: SignupDetails,
): Promise<Buffer> {
  const known = JSON.stringify([email.toLowerCase(), first_name, last_name, npi]);
  const salt = keys.sessionIndex('one-time-code', `salt/${known}`).subarray(0, SALT_BYTES);
  const passwordKey = await derivePasswordKey(password, salt);
  return keys.sessionIndex('one-time-code', `details/${known}/${passwordKey.toString('base64')}`);
}

/** A code is short: its hash is keyed, so that a dump cannot be searched for it. */
const codeHash = (keys: Pick<Keys, 'sessionIndex'>, email: string, code: string) =>
  keys.sessionIndex('one-time-code', `${email.toLowerCase()}/${code}`);

/** What binds a sealed code to its address. */
export const codeContext = (addressKey: Buffer) => `code/${addressKey.toString('hex')}`;

function newCode({ keys, clock }: Pick<Deps, 'keys' | 'clock'>, email: string) {
  const code = newMailedCode();
  const addressKey = addressKeyOf(keys, email);
  const hash = codeHash(keys, email, code).toString('base64');
  const lifetime = { now: clock(), ttlMs: OTP_TTL_MS };
  return {
    code,
    addressKey,
    sealed: sealWithExpiry(keys, codeContext(addressKey), hash, lifetime),
  };
}

/** Makes a code for a sign-up, beside others for the same address. */
export async function issueCode(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
  detailsKey: Buffer,
): Promise<string> {
  const { code, addressKey, sealed } = newCode(deps, email);
  await queries.putCode(db, { details_key: detailsKey, address_key: addressKey, sealed });
  return code;
}

/** Makes one new code for all sign-ups that wait at an address; null if there is none. */
export async function reissueCode(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
): Promise<string | null> {
  const { code, addressKey, sealed } = newCode(deps, email);
  return (await queries.replaceCodes(db, addressKey, sealed)) ? code : null;
}

/** Counts an attempt at a sign-up's code. Null when it is wrong, over, or tried too often. */
export async function tryCode(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  details: SignupDetails,
  code: string,
): Promise<RightCode | null> {
  const { email } = details;
  const addressKey = addressKeyOf(keys, email);
  const detailsKey = await detailsKeyOf(keys, details);
  const most = { now: OTP_ATTEMPTS, inAll: ATTEMPTS_IN_ALL };
  const sealed = await queries.countAttempt(db, detailsKey, most);
  const hash = sealed && openUnexpired<string>(keys, codeContext(addressKey), sealed, clock());
  if (!sealed || !hash) return null;
  const isRight = timingSafeEqual(Buffer.from(hash, 'base64'), codeHash(keys, email, code));
  return isRight ? { addressKey, detailsKey, sealed } : null;
}
