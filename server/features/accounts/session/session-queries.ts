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

/** What the access policy needs of an account; undefined if the session has ended. */
export async function findCaller(
  db: Db,
  by: { userId: string; sessionId: string; accountKey: Buffer; today: string },
) {
  const row = await db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .select(['users.is_admin', 'users.author_salt', 'doctors.verified', 'doctors.can_post_reviews'])
    .where('users.id', '=', by.userId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('sessions')
          .select('sessions.id')
          .where('sessions.id', '=', by.sessionId)
          .where('sessions.account_key', '=', by.accountKey)
          .where('sessions.expires_on', '>', by.today),
      ),
    )
    .executeTakeFirst();
  return (
    row && {
      isAdmin: row.is_admin,
      authorSalt: row.author_salt,
      verified: row.verified ?? false,
      canPostReviews: row.can_post_reviews ?? false,
    }
  );
}
