import { createHash, randomBytes } from 'node:crypto';
import type { ResetLink } from '#contract/accounts/accounts.ts';
import { DAY_MS, EMAIL_CHANGE_TTL_MS, EMAIL_UNDO_DAYS, RESET_TTL_MS } from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import {
  currentKey,
  openUnexpired,
  seal,
  sealWithExpiry,
  unsealOrNull,
} from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { deleteExpiredRows } from '#server/db/sealed-table.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';

const [RESET, CHANGE, UNDO] = ['password-reset', 'email-change', 'email-undo'] as const;
type Purpose = typeof RESET | typeof CHANGE | typeof UNDO;

/** The secret part of a link: 256 random bits that are never stored. */
function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a link token. */
export const tokenHash = (keys: Pick<Keys, 'sessionIndex'>, purpose: Purpose, token: string) =>
  keys.sessionIndex(purpose, `token/${token}`);

/** A keyed hash of the account id, different in each table so that tables cannot be joined. */
export const accountHash = (keys: Pick<Keys, 'sessionIndex'>, purpose: Purpose, userId: string) =>
  keys.sessionIndex(purpose, `account/${userId}`);

/** The URL of a page, for links in mail. */
export function pageLink(publicUrl: string, path: string, query: Record<string, string>): string {
  const url = new URL(path, publicUrl);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}

/** Binds a sealed reset to its row. */
const resetContext = (hash: Buffer) => `reset/${hash.toString('hex')}`;

/** Creates a link for an account. Earlier links stay valid. */
export async function addResetLink(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  userId: string,
): Promise<ResetLink> {
  const token = newToken();
  const token_hash = tokenHash(keys, RESET, token);
  const account_key = accountHash(keys, RESET, userId);
  const lifetime = { now: clock(), ttlMs: RESET_TTL_MS };
  const sealed = sealWithExpiry(keys, resetContext(token_hash), userId, lifetime);
  await trx.insertInto('password_resets').values({ token_hash, account_key, sealed }).execute();
  return { token, uidb64: account_key.toString('base64url') };
}

/** Returns the id of the account that a link belongs to. Throws `invalid_reset_link`. */
export async function openResetLink(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  { token, uidb64 }: ResetLink,
): Promise<string> {
  const hash = tokenHash(keys, RESET, token);
  const reset = await db
    .selectFrom('password_resets')
    .select('sealed')
    .where('token_hash', '=', hash)
    .where('account_key', '=', Buffer.from(uidb64, 'base64url'))
    .executeTakeFirst();
  const userId = reset && openUnexpired<string>(keys, resetContext(hash), reset.sealed, clock());
  if (!userId) throw new AppError('invalid_reset_link');
  return userId;
}

/** Consumes a link. False if it no longer exists. */
export async function takeResetLink(keys: Keys, trx: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash(keys, RESET, token))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

interface PendingChange {
  userId: string;
  newEmail: string;
}

/** Binds a sealed change to its account. */
const changeContext = (accountKey: Buffer) => `email-change/${accountKey.toString('hex')}`;

/** Adds a pending change and returns its token. Replaces an earlier change and its link. */
export async function putPendingEmail(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  pending: PendingChange,
): Promise<string> {
  const token = newToken();
  const account_key = accountHash(keys, CHANGE, pending.userId);
  const lifetime = { now: clock(), ttlMs: EMAIL_CHANGE_TTL_MS };
  const change = {
    confirm_hash: tokenHash(keys, CHANGE, token),
    sealed: sealWithExpiry(keys, changeContext(account_key), pending, lifetime),
  };
  await trx
    .insertInto('email_changes')
    .values({ account_key, ...change })
    .onConflict((conflict) => conflict.column('account_key').doUpdateSet(change))
    .execute();
  return token;
}

/** The new address that has not been confirmed yet, or null. */
export async function pendingEmail(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  userId: string,
): Promise<string | null> {
  const accountKey = accountHash(keys, CHANGE, userId);
  const change = await db
    .selectFrom('email_changes')
    .select('sealed')
    .where('account_key', '=', accountKey)
    .executeTakeFirst();
  if (!change) return null;
  const context = changeContext(accountKey);
  return openUnexpired<PendingChange>(keys, context, change.sealed, clock())?.newEmail ?? null;
}

/** The change that a link confirms; null if the link is used, expired, or unknown. */
export async function findPendingEmail(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<PendingChange | null> {
  const change = await db
    .selectFrom('email_changes')
    .select(['account_key', 'sealed'])
    .where('confirm_hash', '=', tokenHash(keys, CHANGE, token))
    .executeTakeFirst();
  if (!change) return null;
  return openUnexpired(keys, changeContext(change.account_key), change.sealed, clock());
}

/** Consumes a link. False if it has been used or replaced. */
export async function takePendingEmail(keys: Keys, trx: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('email_changes')
    .where('confirm_hash', '=', tokenHash(keys, CHANGE, token))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes an account's reset links, and cancels its pending change. */
export async function dropLinks(keys: Keys, trx: Db, userId: string): Promise<void> {
  for (const [table, purpose] of [
    ['password_resets', RESET],
    ['email_changes', CHANGE],
  ] as const) {
    const accountKey = accountHash(keys, purpose, userId);
    await trx.deleteFrom(table).where('account_key', '=', accountKey).execute();
  }
}

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

const accountKey = (keys: Keys, userId: string) => accountHash(keys, UNDO, userId);
export const addressKey = (keys: Keys, email: string) =>
  keys.sessionIndex(UNDO, `address/${email.toLowerCase()}`);

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
  const hash = tokenHash(keys, UNDO, token);
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
  const hash = tokenHash(keys, UNDO, token);
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

/** Most links have a sealed expiry, so all of these are opened. None is older than two days. */
export async function deleteExpiredLinks(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  const today = toDay(deps.clock());
  await deps.db.deleteFrom('email_undos').where('expires_on', '<=', today).execute();
  await deleteExpiredRows(deps, 'password_resets', 'token_hash', resetContext);
  await deleteExpiredRows(deps, 'email_changes', 'account_key', changeContext);
}
