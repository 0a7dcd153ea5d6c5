import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

export async function insertUndo(trx: Db, undo: Insertable<DB['email_undos']>): Promise<void> {
  await trx.insertInto('email_undos').values(undo).execute();
}

export function findUndo(db: Db, tokenHash: Buffer, today: string) {
  return db
    .selectFrom('email_undos')
    .select(['sealed', 'rank'])
    .where('token_hash', '=', tokenHash)
    .where('expires_on', '>', today)
    .executeTakeFirst();
}

export function selectUndosOf(db: Db, accountKey: Buffer) {
  return db
    .selectFrom('email_undos')
    .select(['token_hash', 'address_key', 'sealed', 'rank'])
    .where('account_key', '=', accountKey)
    .execute();
}

/** Whether a valid link leads to the address, for any account other than `exceptFor`. */
export async function hasUndoTo(
  db: Db,
  addressKey: Buffer,
  { exceptFor, today }: { exceptFor: Buffer | null; today: string },
): Promise<boolean> {
  const undo = await db
    .selectFrom('email_undos')
    .select('rank')
    .where('address_key', '=', addressKey)
    .where('expires_on', '>', today)
    .$if(exceptFor !== null, (q) => q.where('account_key', '!=', exceptFor ?? addressKey))
    .limit(1)
    .executeTakeFirst();
  return undo !== undefined;
}

/** Sets the expiry of the account's links to an address. */
export async function keepUndosTo(
  trx: Db,
  accountKey: Buffer,
  addressKey: Buffer,
  expiresOn: string,
): Promise<void> {
  await trx
    .updateTable('email_undos')
    .set({ expires_on: expiresOn })
    .where('account_key', '=', accountKey)
    .where('address_key', '=', addressKey)
    .execute();
}

/** Deletes the account's links to the address of this rank and to later addresses. */
export async function deleteUndosFrom(trx: Db, accountKey: Buffer, rank: number): Promise<void> {
  await trx
    .deleteFrom('email_undos')
    .where('account_key', '=', accountKey)
    .where('rank', '>=', rank)
    .execute();
}
