import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/** Adds the code of a sign-up, or replaces it and resets its attempts. */
export async function putCode(db: Db, code: Insertable<DB['one_time_codes']>): Promise<void> {
  await db
    .insertInto('one_time_codes')
    .values(code)
    .onConflict((conflict) =>
      conflict
        .column('details_key')
        .doUpdateSet({ sealed: code.sealed, attempts: 0, attempts_total: 0 }),
    )
    .execute();
}

/** Replaces the codes of all pending sign-ups of an address; false if there are none. */
export async function replaceCodes(db: Db, addressKey: Buffer, sealed: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_codes')
    .set({ sealed, attempts: 0 })
    .where('address_key', '=', addressKey)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Counts an attempt and returns the sealed code; null if there is none or no attempts are left. */
export async function countAttempt(
  db: Db,
  detailsKey: Buffer,
  most: { now: number; inAll: number },
): Promise<Buffer | null> {
  const row = await db
    .updateTable('one_time_codes')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      attempts_total: eb('attempts_total', '+', 1),
    }))
    .where('details_key', '=', detailsKey)
    .where('attempts', '<', most.now)
    .where('attempts_total', '<', most.inAll)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed ?? null;
}

/** Deletes a used or expired code; false if it is gone or has been replaced. */
export async function takeCode(db: Db, detailsKey: Buffer, sealed: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_codes')
    .where('details_key', '=', detailsKey)
    .where('sealed', '=', sealed)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export function selectCodes(db: Db) {
  return db.selectFrom('one_time_codes').select(['details_key', 'address_key', 'sealed']).execute();
}

export async function deleteCodes(db: Db, addressKey: Buffer): Promise<void> {
  await db.deleteFrom('one_time_codes').where('address_key', '=', addressKey).execute();
}
