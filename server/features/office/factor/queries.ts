import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

export async function findFactor(db: Db, userId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('staff_factors')
    .select('sealed')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.sealed ?? null;
}

/** The accounts that have a second factor. */
export async function selectFactorOwners(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('staff_factors').select('user_id').execute();
  return rows.map(({ user_id }) => user_id);
}

/** Stores a factor. Returns whether it replaced an earlier one. */
export async function putFactor(trx: Db, userId: string, sealed: Buffer): Promise<boolean> {
  const { isNew } = await trx
    .insertInto('staff_factors')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed }))
    // `xmax` is 0 only for a row that this statement inserted.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return !isNew;
}

/** Replaces a factor unless it has changed. Returns whether it did. */
export async function replaceFactor(
  db: Db,
  userId: string,
  before: Buffer,
  sealed: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('staff_factors')
    .set({ sealed })
    .where('user_id', '=', userId)
    .where('sealed', '=', before)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns whether there was one. */
export async function deleteFactor(trx: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('staff_factors')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
