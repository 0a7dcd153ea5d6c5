import type { Db } from '#server/db/open.ts';

export const COLUMNS = ['user_id', 'sealed', 'printed_on', 'attempts'] as const;

export function findLetter(db: Db, userId: string) {
  return db.selectFrom('letters').select(COLUMNS).where('user_id', '=', userId).executeTakeFirst();
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
