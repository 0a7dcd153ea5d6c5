import { sql } from 'kysely';
import { currentKey, sealedWith } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { findAccount } from './account-queries.ts';
import { openIdentity, sealIdentity } from './identity.ts';

/** The ids of all accounts, in random order. */
export async function accountIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').orderBy(sql`random()`).execute();
  return rows.map(({ id }) => id);
}

/**
 * Seals identities under the current key that an older one seals. One that is changed meanwhile
 * is sealed anew by that change, or comes with the next round. Returns how many changed.
 */
export async function resealIdentities(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const { id: current } = currentKey(keys.sealing);
  let changed = 0;
  for (const [at, userId] of userIds.entries()) {
    const account = await findAccount(db, userId);
    if (account && sealedWith(account.sealed) !== current) {
      const sealed = sealIdentity(keys, userId, openIdentity(keys, userId, account.sealed));
      await db
        .updateTable('users')
        .set({ sealed })
        .where('id', '=', userId)
        .where('sealed', '=', account.sealed)
        .execute();
      changed += 1;
    }
    onProgress(at + 1, userIds.length);
  }
  return changed;
}

/** The ids of the keys that something in the database is still sealed with. */
export async function sealingKeysInUse(db: Db): Promise<Set<string>> {
  // A database that no server has run on has no jobs.
  const { rows: jobs } = await sql`select where to_regclass('pgboss.job') is not null`.execute(db);
  const sealedJobs =
    jobs.length > 0
      ? sql`union all select decode(data ->> 'sealed', 'base64') from pgboss.job
          where data ->> 'sealed' is not null`
      : sql``;
  const { rows } = await sql<{ id: string }>`
    select distinct convert_from(substring(sealed from 3 for get_byte(sealed, 1)), 'utf8') as id
    from (
      select sealed from users
      union all select sealed from one_time_codes
      union all select sealed from password_resets
      union all select sealed from email_changes
      union all select sealed from email_undos
      ${sealedJobs}
    ) as everything`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
