import type { Db } from '#server/db/open.ts';

/** A new code replaces the one before, and its count of attempts. */
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

/** Counts an attempt at a code and returns it, unless there is none or no attempt is left. */
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

/** As `deleteCode`, unless another has taken its place. */
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

/** Remembers that a mailbox has proven an account. False when it had before. */
export async function addMark(db: Db, mark: Buffer): Promise<boolean> {
  const added = await db
    .insertInto('mailbox_marks')
    .values({ mark })
    .onConflict((conflict) => conflict.doNothing())
    .returning('mark')
    .executeTakeFirst();
  return added !== undefined;
}
