import { sql } from 'kysely';
import { currentKey, sealedWith } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  isSaltCurrent,
  openAuthorSalts,
  opensAuthorSalts,
  sealAuthorSalts,
  withNewSalt,
} from '#server/features/accounts/credentials/author-salt.ts';
import { lockAccounts } from '#server/features/accounts/identity/account-queries.ts';
import { openIdentity, sealIdentity } from '#server/features/accounts/identity/identity.ts';

/** The ids of all accounts in random order. */
export async function accountIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').orderBy(sql`random()`).execute();
  return rows.map(({ id }) => id);
}

interface Resealing {
  column: 'sealed' | 'author_salt';
  isCurrent: (sealed: Buffer, userId: string) => boolean;
  reseal: (userId: string, sealed: Buffer) => Buffer;
}

/** Reseals identities under the current key of `SEALING_KEYS`. Returns how many changed. */
export function resealIdentities(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const { id: current } = currentKey(keys.sealing);
  const resealing: Resealing = {
    column: 'sealed',
    isCurrent: (sealed) => sealedWith(sealed) === current,
    reseal: (userId, sealed) => sealIdentity(keys, userId, openIdentity(keys, userId, sealed)),
  };
  return reseal(db, userIds, resealing, onProgress);
}

/**
 * Gives all accounts another salt, under the current authorship key, locked or not: a log-in must not
 * change the account, and the row must not show who has locked reviews. Returns how many changed.
 */
export function addAuthorSalts(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const resealing: Resealing = {
    column: 'author_salt',
    // If its key is lost, a salt is left unchanged. Locking creates a new one.
    isCurrent: (sealed, userId) =>
      !opensAuthorSalts(keys, sealed) || isSaltCurrent(keys, userId, sealed),
    reseal: (userId, sealed) =>
      sealAuthorSalts(keys, userId, withNewSalt(keys, openAuthorSalts(keys, userId, sealed))),
  };
  return reseal(db, userIds, resealing, onProgress);
}

/** Skips accounts that change at the same time; the next round handles them. */
async function reseal(
  db: Db,
  userIds: readonly string[],
  { column, isCurrent, reseal }: Resealing,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  let changed = 0;
  for (const [at, userId] of userIds.entries()) {
    const account = await findSealed(db, userId, column);
    if (account && !isCurrent(account.value, userId)) {
      await inTransaction(db, async (trx) => {
        await lockAccounts(trx, [userId]);
        await trx
          .updateTable('users')
          .set({ [column]: reseal(userId, account.value) })
          .where('id', '=', userId)
          .where(column, '=', account.value)
          .execute();
      });
      changed += 1;
    }
    onProgress(at + 1, userIds.length);
  }
  return changed;
}

const findSealed = (db: Db, userId: string, column: Resealing['column']) =>
  db
    .selectFrom('users')
    .select((eb) => eb.ref(column).as('value'))
    .where('id', '=', userId)
    .executeTakeFirst();
