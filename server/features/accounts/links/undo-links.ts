import { createHash } from 'node:crypto';
import { DAY_MS, EMAIL_CHANGE_TTL_MS, EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, seal, unsealOrNull } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { accountHash, newToken, tokenHash } from './link-tokens.ts';

const PURPOSE = 'email-undo';

/** The address that a link in the old mailbox restores. */
interface UndoTarget {
  userId: string;
  email: string;
  /** Fingerprint of the password hash when the change was requested. */
  password: string;
}

type Undos = readonly { address_key: Buffer; rank: number }[];

/** Binds a sealed target to its link. */
const undoContext = (hash: Buffer) => `email-undo/${hash.toString('hex')}`;

const accountKey = (keys: Keys, userId: string) => accountHash(keys, PURPOSE, userId);
export const addressKey = (keys: Keys, email: string) =>
  keys.sessionIndex(PURPOSE, `address/${email.toLowerCase()}`);

/** Distinguishes two password hashes, and is short enough to fit next to the longest address. */
export const fingerprintOf = (passwordHash: string) =>
  createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16);

/**
 * Creates a link back to the account's current address, and returns its token. The link expires
 * with the pending change, unless `settleUndoLinks` extends it. Earlier links stay valid, so that a
 * thief cannot disable them with another change.
 */
export async function addUndoLink(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  account: { id: string; email: string; passwordHash: string },
): Promise<string> {
  const token = newToken();
  const hash = tokenHash(keys, PURPOSE, token);
  const address = addressKey(keys, account.email);
  const others = await undosOf(keys, trx, account.id);
  const target: UndoTarget = {
    userId: account.id,
    email: account.email,
    password: fingerprintOf(account.passwordHash),
  };
  const undo = {
    token_hash: hash,
    account_key: accountKey(keys, account.id),
    address_key: address,
    sealed: seal(currentKey(keys.sealing), undoContext(hash), target),
    rank: rankOf(address, others),
    expires_on: dayAfter(clock(), EMAIL_CHANGE_TTL_MS / DAY_MS),
  };
  await trx.insertInto('email_undos').values(undo).execute();
  return token;
}

/** A known address keeps its rank; a new one gets the highest. */
const rankOf = (address: Buffer, undos: Undos) =>
  rankAmong(undos, address) ?? Math.max(0, ...undos.map(({ rank }) => rank)) + 1;

const rankAmong = (undos: Undos, address: Buffer) =>
  undos.find(({ address_key }) => address_key.equals(address))?.rank;

/**
 * After a confirmed change: links to the previous address are valid for 7 days. If the account
 * returns to an earlier address, links to later addresses are deleted.
 */
export async function settleUndoLinks(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  userId: string,
  { left, now }: { left: string; now: string },
): Promise<void> {
  const rank = rankAmong(await undosOf(keys, trx, userId), addressKey(keys, now));
  if (rank !== undefined) await dropUndoLinksFrom(keys, trx, userId, rank + 1);
  const expiresOn = dayAfter(clock(), EMAIL_UNDO_DAYS);
  await trx
    .updateTable('email_undos')
    .set({ expires_on: expiresOn })
    .where('account_key', '=', accountKey(keys, userId))
    .where('address_key', '=', addressKey(keys, left))
    .execute();
}

/** The target of a link; null if the link is used, expired, or unknown. */
export async function findUndoLink(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  token: string,
): Promise<(UndoTarget & { rank: number }) | null> {
  const hash = tokenHash(keys, PURPOSE, token);
  const undo = await db
    .selectFrom('email_undos')
    .select(['sealed', 'rank'])
    .where('token_hash', '=', hash)
    .where('expires_on', '>', toDay(clock()))
    .executeTakeFirst();
  const target = undo && openTarget(keys, hash, undo.sealed);
  return target ? { ...target, rank: undo.rank } : null;
}

/** The addresses of the account's links. Deleting the account deletes mail to them. */
export async function undoAddresses(keys: Keys, db: Db, userId: string): Promise<string[]> {
  const undos = await undosOf(keys, db, userId);
  return undos.flatMap(({ token_hash, sealed }) => {
    const target = openTarget(keys, token_hash, sealed);
    return target ? [target.email] : [];
  });
}

/** Deletes the links to an address and to all later ones: the earliest owner takes precedence. */
export async function dropUndoLinksFrom(keys: Keys, trx: Db, userId: string, rank = 0) {
  await trx
    .deleteFrom('email_undos')
    .where('account_key', '=', accountKey(keys, userId))
    .where('rank', '>=', rank)
    .execute();
}

/**
 * Whether an address is reserved for an account that changed away from it in the last few days, so
 * that nobody else can take it. The account itself may return to it.
 */
export async function isReserved(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
  exceptFor?: string,
): Promise<boolean> {
  const other = exceptFor === undefined ? null : accountKey(keys, exceptFor);
  const undo = await db
    .selectFrom('email_undos')
    .select('rank')
    .where('address_key', '=', addressKey(keys, email))
    .where('expires_on', '>', toDay(clock()))
    .$if(other !== null, (q) => q.where('account_key', '!=', other))
    .limit(1)
    .executeTakeFirst();
  return undo !== undefined;
}

const undosOf = (keys: Keys, db: Db, userId: string) =>
  db
    .selectFrom('email_undos')
    .select(['token_hash', 'address_key', 'sealed', 'rank'])
    .where('account_key', '=', accountKey(keys, userId))
    .execute();

const openTarget = (keys: Keys, hash: Buffer, sealed: Buffer) =>
  unsealOrNull<UndoTarget>(keys.sealing, undoContext(hash), sealed);

export async function deleteExpiredUndoLinks(db: Db, today: string): Promise<void> {
  await db.deleteFrom('email_undos').where('expires_on', '<=', today).execute();
}
