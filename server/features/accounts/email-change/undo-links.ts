import { createHash } from 'node:crypto';
import { DAY_MS, EMAIL_CHANGE_TTL_MS, EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, SealError, seal, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { accountHash, newToken, tokenHash } from '../link-tokens.ts';
import * as queries from './undo-link-queries.ts';

const PURPOSE = 'email-undo';

/** What a link in the old mailbox leads back to. */
interface UndoTarget {
  userId: string;
  email: string;
  /** Tells whether the password is still the one of the day the change was asked for. */
  password: string;
}

type Undos = readonly { address_key: Buffer; rank: number }[];

/** What binds a sealed target to its link. */
const undoContext = (hash: Buffer) => `email-undo/${hash.toString('hex')}`;

const accountKey = (keys: Keys, userId: string) => accountHash(keys, PURPOSE, userId);
export const addressKey = (keys: Keys, email: string) =>
  keys.sessionIndex(PURPOSE, `address/${email.toLowerCase()}`);

/** Tells two password hashes apart, and is short enough to fit beside the longest address. */
export const fingerprintOf = (passwordHash: string) =>
  createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16);

/**
 * Makes a link that leads back to the address an account has now, and returns its token. It is good
 * while the change waits; `keepUndoLinks` extends that. Links made before stay good: a later change,
 * perhaps a thief's, takes none of them away.
 */
export async function addUndoLink(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  account: { id: string; email: string; passwordHash: string },
): Promise<string> {
  const token = newToken();
  const hash = tokenHash(keys, PURPOSE, token);
  const address = addressKey(keys, account.email);
  const others = await queries.selectUndosOf(trx, accountKey(keys, account.id));
  const target: UndoTarget = {
    userId: account.id,
    email: account.email,
    password: fingerprintOf(account.passwordHash),
  };
  await queries.insertUndo(trx, {
    token_hash: hash,
    account_key: accountKey(keys, account.id),
    address_key: address,
    sealed: seal(currentKey(keys.sealing), undoContext(hash), target),
    rank: rankOf(address, others),
    expires_on: dayAfter(clock(), EMAIL_CHANGE_TTL_MS / DAY_MS),
  });
  return token;
}

/** An address keeps its rank when the account comes back to it; a new one comes last. */
const rankOf = (address: Buffer, undos: Undos) =>
  rankAmong(undos, address) ?? Math.max(0, ...undos.map(({ rank }) => rank)) + 1;

const rankAmong = (undos: Undos, address: Buffer) =>
  undos.find(({ address_key }) => address_key.equals(address))?.rank;

/**
 * After a change was confirmed: the links to the address that was left are good for 7 days. If the
 * account comes back to an earlier address, links to those that it had since end.
 */
export async function settleUndoLinks(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  userId: string,
  { left, now }: { left: string; now: string },
): Promise<void> {
  const account = accountKey(keys, userId);
  const rank = rankAmong(await queries.selectUndosOf(trx, account), addressKey(keys, now));
  if (rank !== undefined) await queries.deleteUndosFrom(trx, account, rank + 1);
  const expiresOn = dayAfter(clock(), EMAIL_UNDO_DAYS);
  await queries.keepUndosTo(trx, account, addressKey(keys, left), expiresOn);
}

/** Where a link leads; null when it is used up, over or none. */
export async function findUndoLink(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  token: string,
): Promise<(UndoTarget & { rank: number }) | null> {
  const hash = tokenHash(keys, PURPOSE, token);
  const undo = await queries.findUndo(db, hash, toDay(clock()));
  const target = undo && openTarget(keys, hash, undo.sealed);
  return target ? { ...target, rank: undo.rank } : null;
}

/**
 * The addresses that links of the account lead to. Whoever deletes the account removes the mail
 * that waits for them.
 */
export async function undoAddresses(keys: Keys, db: Db, userId: string): Promise<string[]> {
  const undos = await queries.selectUndosOf(db, accountKey(keys, userId));
  return undos.flatMap(({ token_hash, sealed }) => {
    const target = openTarget(keys, token_hash, sealed);
    return target ? [target.email] : [];
  });
}

/**
 * Removes the links to an address, and to all that the account had after it: whoever had the
 * account first has the last word.
 */
export function dropUndoLinksFrom(keys: Keys, trx: Db, userId: string, rank: number) {
  return queries.deleteUndosFrom(trx, accountKey(keys, userId), rank);
}

/** Removes all links of the account. */
export function dropUndoLinks(keys: Keys, trx: Db, userId: string) {
  return dropUndoLinksFrom(keys, trx, userId, 0);
}

/**
 * Whether an address is held for an account that has left it in the last days: else somebody else
 * could sign up with it, and there would be nothing to go back to. The account itself may return.
 */
export function isHeld(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
  exceptFor?: string,
): Promise<boolean> {
  return queries.hasUndoTo(db, addressKey(keys, email), {
    exceptFor: exceptFor === undefined ? null : accountKey(keys, exceptFor),
    today: toDay(clock()),
  });
}

function openTarget(keys: Keys, hash: Buffer, sealed: Buffer): UndoTarget | null {
  try {
    return unseal<UndoTarget>(keys.sealing, undoContext(hash), sealed);
  } catch (error) {
    // Its key is gone.
    if (error instanceof SealError) return null;
    throw error;
  }
}
