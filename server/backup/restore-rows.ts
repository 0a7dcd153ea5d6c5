import type pg from 'pg';
import {
  CREATE_MIGRATIONS,
  type Migration,
  recordMigration,
  TRIGGERS,
} from '#server/db/migrate.ts';
import { createTopicTriggers, TOPICS_CHECKSUM } from '#server/db/topics.ts';
import { ArchiveError, type Head, type Section } from './archive.ts';
import { copyIn, copyInto, JOBS, restoreJobs, tablesToKeep } from './tables.ts';

/**
 * Creates the schema of the backup, fills it, and migrates it to this program's version, in the
 * caller's transaction. Throws ArchiveError, and errors from PostgreSQL.
 */
export async function restoreRows(
  client: pg.ClientBase,
  { migrations, sequences }: Head,
  sections: AsyncIterable<Section>,
  known: readonly Migration[],
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  await client.query(CREATE_MIGRATIONS);
  for (const migration of known.slice(0, migrations.length)) await apply(client, migration);
  const counts = await fillTables(client, sections, signal);
  for (const [name, value] of Object.entries(sequences)) {
    await client.query(
      `select setval(oid, $2) from pg_class
       where relname = $1 and relkind = 'S' and relnamespace = 'public'::regnamespace`,
      [name, value],
    );
  }
  await recompute(client);
  for (const migration of known.slice(migrations.length)) await apply(client, migration);
  await createTopicTriggers(client);
  await recordMigration(client, { name: TRIGGERS, checksum: TOPICS_CHECKSUM, least: null });
  return counts;
}

async function apply(client: pg.ClientBase, { sql, ...migration }: Migration) {
  await client.query(sql);
  await recordMigration(client, migration);
}

/** Triggers would count, learn, and open cases again. Constraints are checked at each statement. */
async function fillTables(
  client: pg.ClientBase,
  sections: AsyncIterable<Section>,
  signal?: AbortSignal,
) {
  const tables = await tablesToKeep(client);
  const counts: Record<string, number> = {};
  await client.query('set constraints all immediate');
  // Some migrations add rows, which the backup also has.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`);
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  for await (const section of sections) {
    const { name, columns, rows, count } = section;
    const table = tables.find((one) => one.name === name);
    if (name in counts || (table ? table.columns.join() !== columns.join() : name !== JOBS)) {
      throw new ArchiveError(`it has the unknown table ${name}`);
    }
    const loaded = table
      ? await copyIn(client, copyInto(table), rows, signal)
      : await restoreJobs(client, section);
    if (loaded !== count()) throw new ArchiveError(`rows are missing in ${name}`);
    counts[name] = loaded;
  }
  const missing = tables.filter(({ name }) => !(name in counts));
  if (missing.length > 0) {
    throw new ArchiveError(`it is missing ${missing.map(({ name }) => name).join(', ')}`);
  }
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
  return counts;
}

/** The tables that a backup omits because they can be computed (DERIVED in tables.ts). */
async function recompute(client: pg.ClientBase) {
  // The trigger that gives each new employer a row was off.
  await client.query('insert into employer_ratings (employer_id) select id from employers');
  await client.query('select employer_ratings_recompute(array(select id from employers))');
  await client.query('select words_recompute()');
}
