import type { Insertable, Updateable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

export async function insertSession(db: Db, session: Insertable<DB['sessions']>) {
  await db.insertInto('sessions').values(session).execute();
}

/** The state of a session, locked until the transaction ends. */
export async function lockSession(trx: Db, id: string, accountKey: Buffer): Promise<Buffer | null> {
  const session = await trx
    .selectFrom('sessions')
    .select('sealed')
    .where('id', '=', id)
    .where('account_key', '=', accountKey)
    .forUpdate()
    .executeTakeFirst();
  return session?.sealed ?? null;
}

export async function hasSession(db: Db, id: string, accountKey: Buffer): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('account_key', '=', accountKey)
    .executeTakeFirst();
  return session !== undefined;
}

export async function updateSession(trx: Db, id: string, change: Updateable<DB['sessions']>) {
  await trx.updateTable('sessions').set(change).where('id', '=', id).execute();
}

export async function deleteSession(db: Db, id: string, accountKey: Buffer) {
  await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('account_key', '=', accountKey)
    .execute();
}

/** Deletes all sessions of an account, except `kept`. */
export async function deleteSessionsOf(db: Db, accountKey: Buffer, kept?: string) {
  await db
    .deleteFrom('sessions')
    .where('account_key', '=', accountKey)
    .$if(kept !== undefined, (q) => q.where('id', '!=', kept ?? ''))
    .execute();
}

export async function deleteExpiredSessions(db: Db, today: string): Promise<void> {
  await db.deleteFrom('sessions').where('expires_on', '<=', today).execute();
}
