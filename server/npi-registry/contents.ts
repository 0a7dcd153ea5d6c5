import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';

/** What is imported, oldest file first, and what was begun. */
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

/** Drops the imported registry: the network is asked again. Returns whether there was one. */
export async function forgetRegistry(db: Db): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const files = await trx.selectFrom('registry_files').select('id').execute();
    await sql`truncate registry_physicians, registry_files, registry_staging, registry_progress,
      physician_counts`.execute(trx);
    return files.length > 0;
  });
}
