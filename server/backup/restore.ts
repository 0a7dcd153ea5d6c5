import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { fingerprints, type Keys, type Secrets } from '#server/anonymity/keys.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { KEYS } from '#server/config/settings.ts';
import { holdingLock, LOCKS } from '#server/db/advisory-lock.ts';
import { sqlStateOf } from '#server/db/errors.ts';
import { isBeforeFirstRelease, type Migration, readMigrations } from '#server/db/migrate.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { explainFileError, OperatorError, printable } from '#server/errors/operator-error.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { giveUpKeys } from '#server/key-prints.ts';
import {
  ArchiveError,
  decryptionWith,
  FORMAT,
  type Head,
  readArchive,
  type Section,
} from './archive.ts';
import { isLargeLoss, loadInventory } from './inventory.ts';
import { replayDeletions } from './replay.ts';
import { restoreRows } from './restore-rows.ts';
import { onOneConnection } from './tables.ts';

/** A backup or an inventory whose head has been read. */
interface OpenFile {
  readonly head: Head;
  /**
   * Ends only if the whole file is unmodified. With `key` null, it does not verify that we wrote
   * it.
   */
  sections(key: Buffer | null): AsyncGenerator<Section>;
  close(): void;
}

/** Opens a file with one of the identities. Throws OperatorError. */
export async function openFile(
  file: string,
  kind: Head['kind'],
  identityFile: string,
): Promise<OpenFile> {
  const decrypt = await decryptionWith(identityFile);
  const source = createReadStream(file);
  try {
    const { head, sections } = await readArchive(unpacked(file, source, decrypt));
    if (head.format > FORMAT) throw new OperatorError(`${file} is from a newer program`);
    if (head.kind !== kind) {
      throw new OperatorError(`${file} is not ${NAMES[kind]}, but ${NAMES[head.kind]}`);
    }
    return { head, sections, close: () => source.destroy() };
  } catch (error) {
    source.destroy();
    throw explain(file, error);
  }
}

const NAMES = { backup: 'a backup', inventory: 'an inventory' } as const;

/** Any error from age or zstd means that the file is incomplete, or encrypted to someone else. */
async function* unpacked(
  file: string,
  source: Readable,
  decrypt: (source: Readable) => Promise<Readable>,
): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(await decrypt(source), createZstdDecompress(), () => {});
  } catch (error) {
    const explained = explainFileError(file, error);
    if (explained instanceof OperatorError) throw explained;
    const { message } = error as Error;
    // Without the key, age cannot tell which.
    if (message.includes('no identity matched')) {
      throw new OperatorError(
        `${file} is for another identity, or its header was modified: use the identity of its` +
          ' recipient, or another file',
      );
    }
    throw new ArchiveError(message);
  }
}

/** PostgreSQL's classes data_exception and integrity_constraint_violation. */
const BAD_ROW = /^2[23]\w{3}$/;

/** Turns an error from restoring the file into one line; returns other errors unchanged. */
function explain(file: string, error: unknown): unknown {
  if (error instanceof ArchiveError) {
    const message = printable(error.message);
    return new OperatorError(`${file} is incomplete or was modified (${message}): use another`);
  }
  if (BAD_ROW.test(sqlStateOf(error) ?? '')) {
    const { code, constraint = '' } = error as pg.DatabaseError;
    // PostgreSQL's message may quote the row.
    const reason = `PostgreSQL rejects a row: ${code} ${constraint}`.trim();
    return new OperatorError(`${file} is incomplete or was modified (${reason}): use another`);
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new OperatorError('stopped: nothing was restored');
  }
  return error;
}

const SINGLE = 'SESSION_KEY';

/** Throws OperatorError unless this program can read the rows and has the keys that wrote them. */
function checkHead(
  file: string,
  { migrations, keys }: Head,
  known: readonly Migration[],
  secrets: Secrets | null,
): void {
  const names = migrations.map(({ name }) => name);
  if (isBeforeFirstRelease(names, known)) {
    throw new OperatorError(
      `${file} is from a version before the first release and cannot be restored: use the version that wrote it`,
    );
  }
  for (const [at, { name, checksum }] of migrations.entries()) {
    const ours = known[at];
    if (ours?.name !== name) {
      throw new OperatorError(`${file} is from a newer program: it has ${printable(name)}`);
    }
    if (ours.checksum !== checksum) {
      throw new OperatorError(
        `${file} has a different ${printable(name)} than this program: use the program version that wrote it`,
      );
    }
  }
  if (!secrets) return;
  const here = fingerprints(secrets);
  const missing = Object.keys(keys).filter((name) =>
    keys[name]?.some((print) => !here[name]?.includes(print)),
  );
  if (missing.length === 0) return;
  const adds = missing.some((name) => name !== SINGLE)
    ? ['add the keys it was written with after the current ones']
    : [];
  // This setting accepts only one key.
  const sets = missing.includes(SINGLE) ? [`set ${SINGLE} to the one it was written with`] : [];
  throw new OperatorError(
    `${missing.join(', ')} ${missing.length > 1 ? 'lack keys' : 'lacks a key'} of ${file}:` +
      ` ${[...adds, ...sets].join(', and ')} (or, if they are lost, use --other-keys)`,
  );
}

interface Options {
  readonly file: string;
  /** A file with the recipient's identity, as `curbside backup-key` prints it. */
  readonly identityFile: string;
  /** What existed after the backup; null restores everything that was deleted since. */
  readonly inventory: string | null;
  readonly keys: Keys;
  readonly secrets: Secrets;
  /** Keys are lost: some rows may not open, and nothing proves who wrote the file. */
  readonly allowsOtherKeys: boolean;
  /** Deletes what is missing from the inventory, even if it is a lot. */
  readonly acceptsDeletions: boolean;
  readonly clock: Clock;
  /** Stops the restore, unless all rows are loaded. */
  readonly signal: AbortSignal;
}

interface Deleted {
  readonly accounts: number;
  readonly reviews: number;
  readonly inventoryTakenAt: string;
}

interface Restored {
  readonly takenAt: string;
  readonly rows: Readonly<Record<string, number>>;
  /** What the inventory shows as deleted since the backup. */
  readonly deleted: Deleted | null;
}

/**
 * Restores a backup into an empty database, in one transaction. Throws OperatorError if a file is
 * incomplete, not ours, or not for this program, and if the database has any table.
 */
export async function restoreBackup(pool: pg.Pool, options: Options): Promise<Restored> {
  const { file, identityFile, inventory } = options;
  const backup = await openFile(file, 'backup', identityFile);
  try {
    const later = inventory === null ? null : await openFile(inventory, 'inventory', identityFile);
    try {
      return await restore(pool, options, backup, later);
    } finally {
      later?.close();
    }
  } finally {
    backup.close();
  }
}

async function restore(
  pool: pg.Pool,
  options: Options,
  backup: OpenFile,
  later: OpenFile | null,
): Promise<Restored> {
  const { inventory, keys } = options;
  const known = await readMigrations();
  const secrets = options.allowsOtherKeys ? null : options.secrets;
  const key = options.allowsOtherKeys ? null : keys.sessionKey('backup');
  checkHead(options.file, backup.head, known, secrets);
  if (later) {
    checkHead(inventory ?? '', later.head, known, secrets);
    checkPair(backup, later);
  }
  return holdingLock(pool, LOCKS.restore, async () => {
    await requireEmpty(pool);
    const restored = await withQueue(pool, keys, () =>
      fill(pool, options, { known, key }, backup, later),
    );
    // A row's position in the file would show what was replayed.
    await rewriteTables(pool);
    // Freezes all rows, so that reading one later leaves no trace.
    await pool.query('vacuum (freeze, analyze)');
    return restored;
  });
}

/** Loads all rows, and deletes what the inventory lacks, in one transaction. */
const fill = (
  pool: pg.Pool,
  options: Options,
  { known, key }: { known: readonly Migration[]; key: Buffer | null },
  backup: OpenFile,
  later: OpenFile | null,
): Promise<Restored> =>
  holdingLock(pool, LOCKS.start, () =>
    onOneConnection(pool, 'read committed', async (client, trx) => {
      const { file, inventory, keys, clock, signal } = options;
      // A server may have been first.
      await requireEmpty(client);
      if (later) {
        await loadInventory(client, later.sections(key)).catch((error: unknown) => {
          throw explain(inventory ?? '', error);
        });
      }
      const sections = backup.sections(key);
      const rows = await restoreRows(client, backup.head, sections, known, signal).catch(
        (error: unknown) => {
          throw explain(file, error);
        },
      );
      const deleted = later && {
        ...(await replayDeletions(client, trx, { keys, clock })),
        inventoryTakenAt: later.head.taken_at,
      };
      const restored = { takenAt: backup.head.taken_at, rows, deleted };
      if (!options.acceptsDeletions) requireFewDeletions(restored);
      // What is lost stays sealed; a server must start anyway.
      if (options.allowsOtherKeys) await giveUpKeys(client, options.secrets, KEYS);
      const details = { taken_at: backup.head.taken_at.slice(0, 10), replayed: later !== null };
      await recordAct(trx, clock, {
        actor: COMMAND,
        action: 'database.restore',
        subject: 'database',
        details,
      });
      return restored;
    }),
  );

/** An inventory of another database, or from before the backup, would delete what exists. */
function checkPair({ head }: OpenFile, { head: later }: OpenFile) {
  if (head.lineage !== later.lineage) {
    throw new OperatorError('the inventory is from another database than the backup');
  }
  if (later.taken_at < head.taken_at) {
    throw new OperatorError('the inventory is older than the backup: use a later one');
  }
}

/** An inventory from after an accident would delete what the backup should bring back. */
function requireFewDeletions({ takenAt, rows, deleted }: Restored) {
  if (!deleted) return;
  const [users = 0, all = 0] = [rows['users'], rows['reviews']];
  const { accounts, reviews, inventoryTakenAt } = deleted;
  if (!isLargeLoss(users, users - accounts) && !isLargeLoss(all, all - reviews)) return;
  throw new OperatorError(
    `the inventory from ${inventoryTakenAt} would delete ${accounts} of ${users} accounts and` +
      ` ${reviews} of ${all} reviews from the backup of ${takenAt}: use an inventory from before` +
      ' the accident (or, if people deleted them, --accept-deletions)',
  );
}

async function anyTable(client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace limit 1`,
  );
  return rows[0]?.relname;
}

async function requireEmpty(client: Pick<pg.ClientBase, 'query'>) {
  const table = await anyTable(client);
  if (table === undefined) return;
  throw new OperatorError(
    `the database is not empty: it has the table ${table}. Restore into a new one`,
  );
}

/**
 * The job queue creates its own schema, which is dropped if the restore fails before a server starts.
 */
async function withQueue<T>(pool: pg.Pool, keys: Keys, work: () => Promise<T>): Promise<T> {
  const { rows } = await pool.query("select to_regnamespace('pgboss') is not null as exists");
  try {
    const log = { warn() {}, error() {} };
    const jobs = await startJobs({ database: { pool }, keys, log, schedule: false });
    await jobs.stop();
    return await work();
  } catch (error) {
    await holdingLock(pool, LOCKS.start, async (client) => {
      if (rows[0].exists || (await anyTable(client))) return;
      await client.query('drop schema if exists pgboss cascade');
    });
    throw error;
  }
}
