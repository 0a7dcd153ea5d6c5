import type { Db } from '#server/db/open.ts';

/** Locks the list until the transaction ends. */
export function lockList(trx: Db, userId: string) {
  return trx
    .selectFrom('saved_lists')
    .select('sealed')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Does nothing if the account has a list, even one that another transaction is adding. */
export async function insertList(trx: Db, userId: string, sealed: Buffer): Promise<void> {
  await trx
    .insertInto('saved_lists')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateList(trx: Db, userId: string, sealed: Buffer): Promise<void> {
  await trx.updateTable('saved_lists').set({ sealed }).where('user_id', '=', userId).execute();
}

export function findMailing(db: Db, week: string) {
  return db
    .selectFrom('saved_mailings')
    .select(['done_to', 'is_done'])
    .where('week', '=', week)
    .executeTakeFirst();
}

/** Begins the week's mail, and deletes earlier weeks. Several servers may do so at the same time. */
export async function beginMailing(db: Db, week: string): Promise<void> {
  await db
    .insertInto('saved_mailings')
    .values({ week })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom('saved_mailings').where('week', '<', week).execute();
}

/** Undefined if another server holds the lock. */
export function lockMailing(trx: Db, week: string) {
  return trx
    .selectFrom('saved_mailings')
    .select(['done_to', 'is_done'])
    .where('week', '=', week)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function moveMailing(
  trx: Db,
  week: string,
  progress: { done_to?: string; is_done: boolean },
): Promise<void> {
  await trx.updateTable('saved_mailings').set(progress).where('week', '=', week).execute();
}
