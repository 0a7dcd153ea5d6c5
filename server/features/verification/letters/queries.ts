import type { Insertable } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

const COLUMNS = ['user_id', 'sealed', 'printed_on', 'attempts'] as const;

export function findLetter(db: Db, userId: string) {
  return db.selectFrom('letters').select(COLUMNS).where('user_id', '=', userId).executeTakeFirst();
}

/** Adds a letter, or replaces `before`. False if there is a different one. */
export async function putLetter(
  db: Db,
  letter: Insertable<DB['letters']>,
  before: Buffer | null,
): Promise<boolean> {
  const put = await db
    .insertInto('letters')
    .values(letter)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed: letter.sealed, printed_on: null, attempts: 0 })
        .where('letters.sealed', '=', before ?? Buffer.alloc(0)),
    )
    .returning('user_id')
    .executeTakeFirst();
  return put !== undefined;
}

/** Counts an attempt at the code of a printed letter, unless none are left. */
export function countAttempt(db: Db, userId: string, most: { attempts: number; since: string }) {
  return db
    .updateTable('letters')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('user_id', '=', userId)
    .where('printed_on', '>=', most.since)
    .where('attempts', '<', most.attempts)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Replaces the sealed content unless it has changed. */
export async function replaceSealed(
  db: Db,
  userId: string,
  before: Buffer,
  sealed: Buffer,
): Promise<void> {
  await db
    .updateTable('letters')
    .set({ sealed })
    .where('user_id', '=', userId)
    .where('sealed', '=', before)
    .execute();
}

export async function deleteLetter(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('letters').where('user_id', '=', userId).execute();
}

/** Deletes the letter unless it has been replaced. */
export async function dropLetter(db: Db, userId: string, sealed: Buffer): Promise<void> {
  await db
    .deleteFrom('letters')
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .execute();
}

export function selectLetters(db: Db) {
  return db.selectFrom('letters').select(COLUMNS).orderBy('user_id').execute();
}

export function selectWaiting(db: Db) {
  return db
    .selectFrom('letters')
    .select(['user_id', 'sealed'])
    .where('printed_on', 'is', null)
    .execute();
}

/** Locks letters that wait to be printed, except those that another operator is printing. */
export function holdWaiting(trx: Db) {
  return trx
    .selectFrom('letters')
    .select(COLUMNS)
    .where('printed_on', 'is', null)
    .orderBy('user_id')
    .forUpdate()
    .skipLocked()
    .execute();
}

export function selectPrintedOn(db: Db, day: string) {
  return db
    .selectFrom('letters')
    .select(COLUMNS)
    .where('printed_on', '=', day)
    .orderBy('user_id')
    .execute();
}

export async function markPrinted(trx: Db, userIds: readonly string[], day: string): Promise<void> {
  await trx
    .updateTable('letters')
    .set({ printed_on: day })
    .where('user_id', '=', anyOf('uuid', userIds))
    .execute();
}
