import { sql } from 'kysely';
import type { Db } from './open.ts';

/** The ids of all sealing keys that the database still needs. */
export async function sealingKeysInUse(db: Db): Promise<Set<string>> {
  // A database that no server has used has no job table.
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
      union all select sealed from npi_tombstones
      union all select sealed from letters
      union all select sealed from mailbox_codes
      union all select sealed from staff_factors
      -- The beginning alone: the rest is up to 10 MB.
      union all select substring(sealed for 257) from legal_documents
      ${sealedJobs}
    ) as everything`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
