import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

export async function insertReset(db: Db, reset: Insertable<DB['password_resets']>): Promise<void> {
  await db.insertInto('password_resets').values(reset).execute();
}

export function findReset(db: Db, tokenHash: Buffer, accountKey: Buffer) {
  return db
    .selectFrom('password_resets')
    .select('sealed')
    .where('token_hash', '=', tokenHash)
    .where('account_key', '=', accountKey)
    .executeTakeFirst();
}

export async function deleteReset(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteResetsOf(db: Db, accountKey: Buffer): Promise<void> {
  await db.deleteFrom('password_resets').where('account_key', '=', accountKey).execute();
}

export function selectResets(db: Db) {
  return db.selectFrom('password_resets').select(['token_hash', 'sealed']).execute();
}
