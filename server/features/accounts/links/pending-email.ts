import { EMAIL_CHANGE_TTL_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { openUnexpired, sealWithExpiry } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { deleteExpiredRows } from '#server/db/sealed-table.ts';
import type { Deps } from '#server/deps.ts';
import { accountHash, newToken, tokenHash } from './link-tokens.ts';

const PURPOSE = 'email-change';

interface PendingChange {
  userId: string;
  newEmail: string;
}

/** Binds a sealed change to its account. */
const contextOf = (accountKey: Buffer) => `email-change/${accountKey.toString('hex')}`;

/** Adds a pending change and returns its token. Replaces an earlier change and its link. */
export async function putPendingEmail(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  pending: PendingChange,
): Promise<string> {
  const token = newToken();
  const account_key = accountHash(keys, PURPOSE, pending.userId);
  const lifetime = { now: clock(), ttlMs: EMAIL_CHANGE_TTL_MS };
  const change = {
    confirm_hash: tokenHash(keys, PURPOSE, token),
    sealed: sealWithExpiry(keys, contextOf(account_key), pending, lifetime),
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
  const accountKey = accountHash(keys, PURPOSE, userId);
  const change = await db
    .selectFrom('email_changes')
    .select('sealed')
    .where('account_key', '=', accountKey)
    .executeTakeFirst();
  if (!change) return null;
  const context = contextOf(accountKey);
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
    .where('confirm_hash', '=', tokenHash(keys, PURPOSE, token))
    .executeTakeFirst();
  if (!change) return null;
  return openUnexpired(keys, contextOf(change.account_key), change.sealed, clock());
}

/** Consumes a link. False if it has been used or replaced. */
export async function takePendingEmail(keys: Keys, trx: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('email_changes')
    .where('confirm_hash', '=', tokenHash(keys, PURPOSE, token))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Cancels the pending change, if there is one. */
export async function dropPendingEmail(keys: Keys, db: Db, userId: string): Promise<void> {
  const accountKey = accountHash(keys, PURPOSE, userId);
  await db.deleteFrom('email_changes').where('account_key', '=', accountKey).execute();
}

/** Deletes expired changes. */
export const deleteExpiredChanges = (deps: Pick<Deps, 'db' | 'keys' | 'clock'>) =>
  deleteExpiredRows(deps, 'email_changes', 'account_key', contextOf);
