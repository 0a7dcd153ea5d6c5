import type { Db } from '#server/db/open.ts';

/** Replaces the code of an address, and with it the count of wrong attempts. */
export async function putCode(db: Db, addressKey: Buffer, sealed: Buffer): Promise<void> {
  await db
    .insertInto('one_time_codes')
    .values({ address_key: addressKey, sealed })
    .onConflict((conflict) => conflict.column('address_key').doUpdateSet({ sealed, attempts: 0 }))
    .execute();
}

/** Counts an attempt at a code and returns it, unless there is none or no attempt is left. */
export async function countAttempt(
  db: Db,
  addressKey: Buffer,
  maxAttempts: number,
): Promise<Buffer | null> {
  const row = await db
    .updateTable('one_time_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('address_key', '=', addressKey)
    .where('attempts', '<', maxAttempts)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed ?? null;
}

/** Uses a code up, or forgets it; false when someone else just has, or it has been replaced. */
export async function takeCode(db: Db, addressKey: Buffer, sealed: Buffer): Promise<boolean> {
  const taken = await db
    .deleteFrom('one_time_codes')
    .where('address_key', '=', addressKey)
    .where('sealed', '=', sealed)
    .returning('address_key')
    .executeTakeFirst();
  return taken !== undefined;
}

export function selectCodes(db: Db) {
  return db.selectFrom('one_time_codes').select(['address_key', 'sealed']).execute();
}

/** The code of an address, whichever it is. */
export async function deleteCode(db: Db, addressKey: Buffer): Promise<void> {
  await db.deleteFrom('one_time_codes').where('address_key', '=', addressKey).execute();
}
