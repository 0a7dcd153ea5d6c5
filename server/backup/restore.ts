import type pg from 'pg';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Keys, Secrets } from '#server/anonymity/keys.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { KEYS } from '#server/config/settings.ts';
import { holdingLock, LOCKS } from '#server/db/advisory-lock.ts';
import { type Migration, readMigrations } from '#server/db/migrate.ts';
import { rewriteTables } from '#server/db/rewrite.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { giveUpKeys } from '#server/key-prints.ts';
import { loadInventory } from './inventory.ts';
import { isLargeLoss } from './large-loss.ts';
import { checkHead, explain, type OpenFile, openFile } from './open.ts';
import { replayDeletions } from './replay.ts';
import { restoreRows } from './restore-rows.ts';
import { onOneConnection } from './transaction.ts';

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
    // Otherwise a row's position would show what was replayed.
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
