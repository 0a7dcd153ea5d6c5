import { INVENTORY_PARTS, loadInventory } from '#server/backup/inventory.ts';
import { openFile } from '#server/backup/restore.ts';
import { restoreRows } from '#server/backup/restore-rows.ts';
import { onOneConnection } from '#server/backup/tables.ts';
import { emptyDatabase, type Vault } from '#server/backup/testing/backups.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { type Dump, type DumpedRow, dumpDatabase } from './dump.ts';
import type { World } from './world.ts';

/** The contents of a backup, with each row's position as its place. */
export async function dumpOfBackup({ server }: World, vault: Vault): Promise<Dump> {
  const { keys } = server.deps;
  const { background, pool } = await emptyDatabase();
  const log = { warn() {}, error() {} };
  await (await startJobs({ database: background, keys, log, schedule: false })).stop();
  const { head, sections } = await openFile(vault.file('all.backup'), 'backup', vault.identityFile);
  const rows = sections(keys.sessionKey('backup'));
  const known = await readMigrations();
  await onOneConnection(background.pool, 'read committed', (client) =>
    restoreRows(client, head, rows, known),
  );
  return dumpDatabase(pool);
}

/** The contents of an inventory, in tables named like the database's. */
export async function dumpOfInventory({ server }: World, vault: Vault): Promise<Dump> {
  const { database, keys } = server.deps;
  const { sections } = await openFile(vault.file('inventory'), 'inventory', vault.identityFile);
  const tables = new Map<string, DumpedRow[]>();
  await onOneConnection(database.background.pool, 'read committed', async (client) => {
    await loadInventory(client, sections(keys.sessionKey('backup')));
    for (const part of [...INVENTORY_PARTS, 'saved']) {
      const { rows } = await client.query<DumpedRow>(
        `select ctid::text, '0' as xmin, '0' as xmax, to_jsonb(t) as columns
         from pg_temp.inventory_${part} as t order by t.ctid`,
      );
      tables.set(`public.${part}`, rows);
    }
  });
  return { tables, sequences: [], fragments: [] };
}

/** Both combined: the inventory's tables get their own names. */
export const together = (dump: Dump, inventory: Dump): Dump => ({
  ...dump,
  tables: new Map([
    ...dump.tables,
    ...[...inventory.tables].map(([name, rows]) => [`inventory.${name}`, rows] as const),
  ]),
});
