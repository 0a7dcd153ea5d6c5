import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '#server/db/open.ts';
import { inRegistrySession, inTransaction } from './import/session.ts';

/** The imported files, oldest first, and an import in progress. */
export async function registryContents(db: Db) {
  const files = await db.selectFrom('registry_files').selectAll().orderBy('id').execute();
  const unfinished = await db
    .selectFrom('registry_progress')
    .select(['file_name', sql<number>`100 * next_byte / greatest(1, total_bytes)`.as('percent')])
    .executeTakeFirst();
  const size = await db
    .selectFrom('registry_physicians')
    .select((eb) => [
      eb.fn.countAll().filterWhere('deactivated', '=', false).as('physicians'),
      eb.fn.countAll().filterWhere('deactivated', '=', true).as('deactivated'),
    ])
    .executeTakeFirstOrThrow();
  return { files, unfinished, size };
}

/**
 * Drops the imported registry, so that lookups go to the network again. Returns false if there was
 * none.
 * @throws OperatorError while an import is running
 */
export async function forgetRegistry(pool: pg.Pool): Promise<boolean> {
  return inRegistrySession(pool, (client) =>
    inTransaction(client, async () => {
      const { rowCount } = await client.query('select from registry_files');
      await client.query(`truncate registry_physicians, registry_files, registry_staging,
        registry_progress, physician_counts`);
      return (rowCount ?? 0) > 0;
    }),
  );
}
