import type pg from 'pg';
import { onClient } from '#server/db/transaction.ts';
import { COLUMNS } from './staging.ts';

/** How a file turns the current registry into the next one. */
export interface Publication {
  /** A query for the rows of the next registry. */
  readonly rows: string;
  readonly file: ImportedFile;
  /** Whether files imported earlier no longer count. */
  readonly replacesAll: boolean;
  /** @throws if the next registry must not replace the current one */
  check(next: RegistrySize, present: RegistrySize): void;
}

export interface ImportedFile {
  readonly name: string;
  readonly kind: 'full' | 'update' | 'deactivations';
  readonly asOf: string | null;
  readonly importedOn: string;
  readonly lines: number;
  readonly skipped: number;
}

export interface RegistrySize {
  readonly physicians: number;
  readonly deactivated: number;
}

/**
 * Builds the next registry next to the current one and swaps them in one step. Lookups during the
 * import use one or the other.
 */
export async function publish(
  client: pg.PoolClient,
  { rows, file, replacesAll, check }: Publication,
): Promise<RegistrySize> {
  await onClient(client, async () => {
    // Vacuum can freeze (below) only rows whose commit is on disk.
    await client.query('set local synchronous_commit = on');
    await client.query('drop table if exists registry_next');
    await client.query('create table registry_next (like registry_physicians including defaults)');
    await client.query(`insert into registry_next (${COLUMNS}) ${rows}`);
    await client.query(
      'alter table registry_next add constraint registry_next_pkey primary key (npi)',
    );
  });
  // The first read of a new row sets its hint bits, on disk too. Freezing sets them for all rows
  // now, so the table does not show which numbers were looked up.
  await client.query('vacuum (freeze, analyze) registry_next');
  const size = await sizeOf(client, 'registry_next');
  check(size, await sizeOf(client, 'registry_physicians'));
  await onClient(client, async () => {
    await client.query('delete from physician_counts');
    await client.query(
      `insert into physician_counts (state, city, specialty, physicians)
       select state, upper(city), specialty, count(*) from registry_next
       where state is not null and specialty is not null group by 1, 2, 3`,
    );
    if (replacesAll) await client.query('delete from registry_files');
    await client.query(
      `insert into registry_files (file_name, kind, as_of, imported_on, lines, skipped)
       values ($1, $2, $3, $4, $5, $6)`,
      [file.name, file.kind, file.asOf, file.importedOn, file.lines, file.skipped],
    );
    await client.query('drop table registry_physicians');
    await client.query('alter table registry_next rename to registry_physicians');
    await client.query('alter index registry_next_pkey rename to registry_physicians_pkey');
  });
  return size;
}

async function sizeOf(client: pg.PoolClient, table: string): Promise<RegistrySize> {
  const { rows } = await client.query<RegistrySize>(
    `select count(*) filter (where not deactivated) as physicians,
       count(*) filter (where deactivated) as deactivated from ${table}`,
  );
  const [size] = rows;
  if (!size) throw new Error('an aggregate returns one row');
  return size;
}
