import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/** Adds a pending change. It replaces an earlier one and its link. */
export async function putEmailChange(
  db: Db,
  { account_key, ...change }: Insertable<DB['email_changes']>,
): Promise<void> {
  await db
    .insertInto('email_changes')
    .values({ account_key, ...change })
    .onConflict((conflict) => conflict.column('account_key').doUpdateSet(change))
    .execute();
}

export function findEmailChange(db: Db, accountKey: Buffer) {
  return db
    .selectFrom('email_changes')
    .select('sealed')
    .where('account_key', '=', accountKey)
    .executeTakeFirst();
}

export function findByConfirmLink(db: Db, confirmHash: Buffer) {
  return db
    .selectFrom('email_changes')
    .select(['account_key', 'sealed'])
    .where('confirm_hash', '=', confirmHash)
    .executeTakeFirst();
}

export async function takeByConfirmLink(db: Db, confirmHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('email_changes')
    .where('confirm_hash', '=', confirmHash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteEmailChange(db: Db, accountKey: Buffer): Promise<void> {
  await db.deleteFrom('email_changes').where('account_key', '=', accountKey).execute();
}

/** Deletes the change unless it has been replaced. */
export async function forgetEmailChange(db: Db, accountKey: Buffer, sealed: Buffer): Promise<void> {
  await db
    .deleteFrom('email_changes')
    .where('account_key', '=', accountKey)
    .where('sealed', '=', sealed)
    .execute();
}

export function selectEmailChanges(db: Db) {
  return db.selectFrom('email_changes').select(['account_key', 'sealed']).execute();
}
