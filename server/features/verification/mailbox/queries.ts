import type { Db } from '#server/db/open.ts';

/** Adds or replaces a code, and resets its attempts. */
export async function putCode(db: Db, user_id: string, sealed: Buffer): Promise<void> {
  await db
    .insertInto('mailbox_codes')
    .values({ user_id, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed, attempts: 0 }))
    .execute();
}

export function findCode(db: Db, userId: string) {
  return db
    .selectFrom('mailbox_codes')
    .select(['sealed', 'attempts'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Counts an attempt and returns the sealed code; null if there is none or no attempts are left. */
export async function countAttempt(db: Db, userId: string, most: number): Promise<Buffer | null> {
  const row = await db
    .updateTable('mailbox_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('user_id', '=', userId)
    .where('attempts', '<', most)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed ?? null;
}

export async function deleteCode(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('mailbox_codes').where('user_id', '=', userId).execute();
}

/** Deletes the code unless it has been replaced. */
export async function dropCode(db: Db, userId: string, sealed: Buffer): Promise<void> {
  await db
    .deleteFrom('mailbox_codes')
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .execute();
}

export function selectCodes(db: Db) {
  return db.selectFrom('mailbox_codes').select(['user_id', 'sealed']).execute();
}

/** Marks a mailbox as used. False if it was used before. */
export async function addMark(db: Db, mark: Buffer): Promise<boolean> {
  const added = await db
    .insertInto('mailbox_marks')
    .values({ mark })
    .onConflict((conflict) => conflict.doNothing())
    .returning('mark')
    .executeTakeFirst();
  return added !== undefined;
}
