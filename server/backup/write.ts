import { pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { fingerprints, type Keys, type Secrets } from '#server/anonymity/keys.ts';
import { holdingLock, LOCKS } from '#server/db/advisory-lock.ts';
import { isMigrated } from '#server/db/migrate.ts';
import type { Db } from '#server/db/open.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { writeWholeFile } from '#server/files/data-files.ts';
import { requireKeys } from '#server/key-prints.ts';
import { encryptionFor, type Head, type Section, writeArchive } from './archive.ts';
import { inventorySections } from './inventory.ts';
import { copyOutOf, onOneConnection, sectionOf, tablesToKeep, waitingJobs } from './tables.ts';

interface Options {
  /** The file to write. An existing file is replaced at the end. */
  readonly file: string;
  /** Who can read it: `age1…`. */
  readonly recipient: string;
  readonly keys: Keys;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  /** Throws to keep the existing file. */
  readonly approve?: (written: Written) => void;
}

/** Rows per section. */
type Counts = Readonly<Record<string, number>>;

export interface Written {
  /** The database, as in `lineage.id`. */
  readonly lineage: string;
  readonly counts: Counts;
}

/** Writes a backup of everything. Throws OperatorError. */
export const writeBackup = (pool: pg.Pool, options: Options): Promise<Written> =>
  write(pool, options, 'backup', async (client) => {
    const tables = await tablesToKeep(client);
    const sections = tables.map((table) =>
      sectionOf(client, table.name, table.columns, copyOutOf(table)),
    );
    return [...sections, ...(await waitingJobs(client))];
  });

/** Writes an inventory, for replaying deletions after a restore. Throws OperatorError. */
export const writeInventory = (pool: pg.Pool, options: Options): Promise<Written> =>
  write(pool, options, 'inventory', (client, trx) => inventorySections(client, trx, options.keys));

type Read = (client: pg.ClientBase, trx: Db) => Promise<Section[]>;

/** Reads a single snapshot, and never at the same time as the rewrite, which would wait for it. */
async function write(
  pool: pg.Pool,
  { file, recipient, keys, secrets, signal, approve }: Options,
  kind: Head['kind'],
  read: Read,
): Promise<Written> {
  const encrypt = encryptionFor(recipient);
  await requireMigrated(pool);
  await requireKeys(pool, secrets);
  return holdingLock(pool, LOCKS.rewrite, () =>
    onOneConnection(pool, 'repeatable read', async (client, trx) => {
      const state = await stateOf(client);
      let counts: Counts = {};
      async function* archive() {
        const head = { kind, keys: fingerprints(secrets), ...state };
        const sections = await read(client, trx);
        counts = yield* writeArchive(head, sections, keys.sessionKey('backup'));
        approve?.({ lineage: state.lineage, counts });
      }
      await writeWholeFile(file, packed(archive(), encrypt), signal);
      return { lineage: state.lineage, counts };
    }),
  );
}

/** A new database has no migrations. It stays that way, so a backup can be restored into it. */
async function requireMigrated(pool: pg.Pool) {
  if (await isMigrated(pool)) return;
  throw new OperatorError(
    'migrations are pending, as in a new database: start the server first, or restore a backup',
  );
}

/** Reads nothing before the file exists. */
async function* packed(archive: AsyncIterable<Buffer>, encrypt: ReturnType<typeof encryptionFor>) {
  const plain = Readable.from(archive, { objectMode: false });
  // An error in one stream ends the others, and is thrown where the last one is read. If that one
  // has already ended, nobody else listens.
  plain.on('error', () => {});
  yield* await encrypt(pipeline(plain, createZstdCompress(ZSTD), () => {}));
}

const ZSTD = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

async function stateOf(client: pg.ClientBase) {
  const { rows } = await client.query<Omit<Head, 'format' | 'kind' | 'keys'>>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_at,
      (select id from lineage) as lineage,
      (select json_agg(json_build_object('name', name, 'checksum', checksum) order by name)
        from migrations where name like '%.sql') as migrations,
      (select coalesce(json_object_agg(sequencename, last_value), '{}') from pg_sequences
        where schemaname = 'public' and last_value is not null) as sequences`);
  const [row] = rows;
  if (!row) throw new Error('no row');
  return row;
}
