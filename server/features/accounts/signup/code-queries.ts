import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/** Adds the code of a sign-up, or replaces its code and with it the count of attempts. */
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

/** Replaces the codes of all sign-ups of an address; false when none waits. */
export async function replaceCodes(db: Db, addressKey: Buffer, sealed: Buffer): Promise<boolean> {
  const replaced = await db
    .updateTable('one_time_codes')
    .set({ sealed, attempts: 0 })
    .where('address_key', '=', addressKey)
    .returning('details_key')
    .execute();
  return replaced.length > 0;
}

/** Counts an attempt at a code and returns it, unless there is none or no attempt is left. */
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

/** Uses a code up, or forgets it; false when someone else just has, or it has been replaced. */
export async function takeCode(db: Db, detailsKey: Buffer, sealed: Buffer): Promise<boolean> {
  const taken = await db
    .deleteFrom('one_time_codes')
    .where('details_key', '=', detailsKey)
    .where('sealed', '=', sealed)
    .returning('details_key')
    .executeTakeFirst();
  return taken !== undefined;
}

export function selectCodes(db: Db) {
  return db.selectFrom('one_time_codes').select(['details_key', 'address_key', 'sealed']).execute();
}

/** Every code of an address. */
export async function deleteCodes(db: Db, addressKey: Buffer): Promise<void> {
  await db.deleteFrom('one_time_codes').where('address_key', '=', addressKey).execute();
}
