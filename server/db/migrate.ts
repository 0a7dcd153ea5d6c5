import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { OperatorError } from '#server/errors/operator-error.ts';
import manifest from '../../package.json' with { type: 'json' };
import { holdingLock, LOCKS } from './advisory-lock.ts';
import { sqlStateOf } from './errors.ts';
import { createTopicTriggers, TOPICS_CHECKSUM } from './topics.ts';
import { inYieldingTransaction } from './transaction.ts';

/** The release of this program. */
const RELEASE = manifest.version;

/** The oldest release: every release runs on a database that was only expanded. */
const FIRST_RELEASE = '1.0.0';

/**
 * How a migration affects older releases that are still running (docs/operations.md, "Updating").
 * One that expands breaks none of them. One that contracts removes what releases from `after` on no
 * longer use.
 */
type Phase = { readonly kind: 'expand' } | { readonly kind: 'contract'; after: string };

const PHASE = /^-- phase: (?:(expand)|contract after (\d+\.\d+\.\d+))\n/;

/** Reads a first line `-- phase: expand` or `-- phase: contract after 1.2.0`; null without one. */
function phaseOf(sql: string): Phase | null {
  const [, expand, after] = PHASE.exec(sql) ?? [];
  if (expand) return { kind: 'expand' };
  return after ? { kind: 'contract', after } : null;
}

/** The oldest release that runs on a database with this migration; null: only those that have it. */
function leastRelease(sql: string): string | null {
  const phase = phaseOf(sql);
  if (phase?.kind === 'contract') return phase.after;
  return phase && FIRST_RELEASE;
}

/** Whether this program runs on a database with a migration that it does not have. */
const runsWithout = (least: string | null) =>
  least !== null && compareReleases(RELEASE, least) >= 0;

/** Orders releases: negative if `a` is older than `b`. */
function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) => release.split('.').map(Number));
  const differences = left?.map((part, index) => part - (right?.[index] ?? 0)) ?? [];
  return differences.find((difference) => difference !== 0) ?? 0;
}

const FOLDER = path.join(import.meta.dirname, 'migrations');

/** Recreated whenever the schema or the topics change. */
export const TRIGGERS = 'topic triggers';

export const CREATE_MIGRATIONS = `create table if not exists migrations
  (name text primary key, checksum text not null, least_release text)`;
/** PostgreSQL's insufficient_privilege; and invalid_schema_name, if no schema may even be used. */
const NO_RIGHT = ['42501', '3F000'];
export const MAY_NOT_CREATE =
  'its user may not create tables and schemas: make it the owner of the database';
const APPLIED = 'select name, checksum, least_release from migrations';

/**
 * Waits for a running backup or rewrite, and applies pending migrations, each in its own
 * transaction. Throws OperatorError if an applied migration has been changed, or is missing here and
 * may break this program, if the database is from before the first release, or if the user lacks a
 * right. Returns the names of the new ones.
 */
export async function migrate(pool: pg.Pool, folder = FOLDER): Promise<string[]> {
  try {
    return await holdingLock(pool, LOCKS.start, (client) => migrateOn(pool, client, folder));
  } catch (error) {
    if (!NO_RIGHT.includes(sqlStateOf(error) ?? '')) throw error;
    throw new OperatorError(`the database cannot be migrated: ${MAY_NOT_CREATE}`);
  }
}

async function migrateOn(pool: pg.Pool, client: pg.PoolClient, folder: string) {
  await client.query(CREATE_MIGRATIONS);
  const { applied, migrations, missing } = await compareMigrations(client, folder);
  // A newer program has set up this database, including triggers.
  if (isNewer(applied, migrations, missing)) return [];
  const triggers = applied.find(({ name }) => name === TRIGGERS);
  if (missing.length > 0 || triggers?.checksum !== TOPICS_CHECKSUM) {
    await holdingLock(pool, LOCKS.rewrite, (alone) => applyAll(alone, missing));
  }
  return missing.map(({ name }) => name);
}

/**
 * The names of the migrations that `migrate` would apply. Changes nothing. Throws OperatorError
 * like `migrate`.
 */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const { applied, migrations, missing } = await compareMigrations(pool);
  return isNewer(applied, migrations, missing) ? [] : missing.map(({ name }) => name);
}

/**
 * Whether the database has all our tables. It may be newer, or have been migrated differently. Throws
 * OperatorError if it is from before the first release.
 */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  return (await compareMigrations(pool)).missing.length === 0;
}

async function compareMigrations(db: pg.Pool | pg.PoolClient, folder = FOLDER) {
  const { rows: tables } = await db.query("select where to_regclass('migrations') is not null");
  const { rows: applied } = tables.length > 0 ? await db.query<Applied>(APPLIED) : { rows: [] };
  const names = new Set(applied.map(({ name }) => name));
  const migrations = await readMigrations(folder);
  if (
    isBeforeFirstRelease(
      [...names].filter((name) => name !== TRIGGERS),
      migrations,
    )
  ) {
    throw new OperatorError(BEFORE_FIRST_RELEASE);
  }
  return { applied, migrations, missing: migrations.filter(({ name }) => !names.has(name)) };
}

const BEFORE_FIRST_RELEASE =
  'this database was made by a version before the first release and cannot be updated: set DATA_DIR' +
  ' to an empty folder (or DATABASE_URL to an empty database), or go back to the version that made it';

/** Whether these migrations were applied before the first release. Since then, all have our first. */
export function isBeforeFirstRelease(applied: string[], [first]: readonly Migration[]): boolean {
  return applied.length > 0 && first !== undefined && !applied.includes(first.name);
}

interface Applied {
  name: string;
  checksum: string;
  /** The oldest release that runs on it; null: only releases that have it. */
  least_release: string | null;
}

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
  least: string | null;
}

/** The migrations of a folder, in order. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, least: leastRelease(sql) };
    }),
  );
}

const RUN = 'run the matching version of Curbside';

/**
 * Whether the database has migrations that are missing here, and this program works with all of
 * them.
 */
function isNewer(applied: Applied[], migrations: Migration[], pending: Migration[]): boolean {
  let newest: string | undefined;
  for (const { name, checksum, least_release } of applied) {
    if (name === TRIGGERS) continue;
    const migration = migrations.find((candidate) => candidate.name === name);
    if (migration && migration.checksum !== checksum) {
      throw new OperatorError(`migration ${name} has been changed since it was applied: ${RUN}`);
    }
    if (migration) continue;
    if (!runsWithout(least_release)) {
      throw new OperatorError(`the database is newer than this program: it has ${name}: ${RUN}`);
    }
    newest = name;
  }
  const [missing] = pending;
  if (newest !== undefined && missing) {
    throw new OperatorError(
      `the database has ${newest} but not ${missing.name}: install a release that has both`,
    );
  }
  return newest !== undefined;
}

async function applyAll(client: pg.PoolClient, pending: readonly Migration[]): Promise<void> {
  for (const { sql, ...migration } of pending) {
    await apply(client, { ...migration, run: () => client.query(sql) });
  }
  const run = () => createTopicTriggers(client);
  await apply(client, { name: TRIGGERS, checksum: TOPICS_CHECKSUM, least: null, run });
}

interface Step extends Omit<Migration, 'sql'> {
  run: () => Promise<unknown>;
}

const apply = (client: pg.PoolClient, { name, checksum, least, run }: Step) =>
  inYieldingTransaction(client, async () => {
    await run();
    await recordMigration(client, { name, checksum, least });
  });

/** Records an applied migration, or the triggers that follow from the topics. */
export const recordMigration = (
  client: pg.ClientBase,
  { name, checksum, least }: Omit<Migration, 'sql'>,
) =>
  client.query(
    `insert into migrations (name, checksum, least_release) values ($1, $2, $3)
     on conflict (name) do update set checksum = excluded.checksum`,
    [name, checksum, least],
  );
