import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import type { Section } from './archive.ts';

/** Tables that are in no backup. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  // In the head.
  'migrations',
  // Sessions, codes, and links: ended ones would work again.
  'sessions',
  'one_time_codes',
  'password_resets',
  'email_changes',
  'mailbox_codes',
  // Salts must not outlive their hour.
  'rate_limits',
  'rate_limit_salts',
  // The first of two decisions: it may have been withdrawn since.
  'shared_decisions',
  // Of this month only.
  'mailbox_quotas',
]);

/** Computed from the other tables by `recompute` in restore-rows.ts. */
export const DERIVED: ReadonlySet<string> = new Set([
  'employer_ratings',
  'employer_specialties',
  'search_words',
]);

/** Values that replace a column's own. */
const INSTEAD: Readonly<Record<string, string>> = {
  // A backup has no order that the next rewrite would have to remove.
  'reviews.settled': 'true',
};

interface Table {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
  /** Columns of the primary key; all columns of a table without one. */
  readonly order: readonly string[];
}

/** The tables of a backup, each after the tables it refers to. */
export async function tablesToKeep(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(`
    select relname as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      array(select attname::text from pg_constraint, unnest(conkey) with ordinality as key (attnum, at)
        join pg_attribute using (attnum)
        where conrelid = pg_class.oid and contype = 'p' and attrelid = conrelid order by at) as "order",
      array(select confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as refers_to
    from pg_class
    where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace
    order by relname`);
  const kept = rows.filter(({ name }) => !LEFT_OUT.has(name) && !DERIVED.has(name));
  return inOrderOfReference(kept).map(({ name, columns, order }) => ({
    name,
    columns,
    order: order.length > 0 ? order : columns,
  }));
}

function inOrderOfReference<T extends { name: string; refers_to: string[] }>(tables: T[]): T[] {
  const sorted: T[] = [];
  const isDone = (name: string) => sorted.some((table) => table.name === name);
  while (sorted.length < tables.length) {
    const next = tables.find(({ name, refers_to }) => !isDone(name) && refers_to.every(isDone));
    if (!next) throw new Error('tables have circular references');
    sorted.push(next);
  }
  return sorted;
}

/**
 * Reads a table in the order of its key. The order on disk would show who did what and when, until
 * the next rewrite (docs/anonymity.md).
 */
export function copyOutOf({ name, columns, order }: Table): string {
  const values = columns.map((column) => INSTEAD[`${name}.${column}`] ?? quoted(column));
  return `copy (select ${values.join(', ')} from public.${quoted(name)}
    order by ${order.map(quoted).join(', ')}) to stdout`;
}

export const copyInto = ({ name, columns }: Pick<Table, 'name' | 'columns'>): string =>
  `copy public.${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`;

/** Names come from the catalog. Quoted, because some are SQL keywords. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The rows that a `copy … to stdout` returns. */
export function sectionOf(
  client: pg.ClientBase,
  name: string,
  columns: readonly string[],
  copy: string,
): Section {
  let count = Number.NaN;
  async function* rows(): AsyncGenerator<Buffer> {
    const stream = client.query(copyTo(copy));
    yield* stream;
    count = stream.rowCount;
  }
  return { name, columns, rows: rows(), count: () => count };
}

/**
 * Runs a `copy … from stdin`. Returns the number of rows. Rethrows errors from reading the rows,
 * and throws an AbortError when stopped; PostgreSQL would only report that the copy failed.
 */
export async function copyIn(
  client: pg.ClientBase,
  copy: string,
  rows: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<number> {
  let cause: unknown;
  async function* watched() {
    try {
      for await (const chunk of rows) {
        signal?.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      cause = error;
      throw error;
    }
  }
  const stream = client.query(copyFrom(copy));
  await pipeline(watched(), stream).catch((error: unknown) => {
    throw cause ?? error;
  });
  return stream.rowCount;
}

/**
 * Waiting jobs that a backup keeps. Jobs may run more than once, so repeating one does no harm.
 * Codes for mailboxes are not kept, so neither are their jobs. The server reschedules all others.
 */
const KEPT = ['password-reset', 'saved-news', 'send-mail', 'verify-npi'];

export const JOBS = 'pgboss.job';
const COLUMNS = ['name', 'data', 'keep_until'];

/** Payloads stay sealed. The only time kept is the day on which a job expires. */
export async function waitingJobs(client: pg.ClientBase): Promise<Section[]> {
  const { rows } = await client.query("select to_regclass('pgboss.job') is not null as exists");
  if (!rows[0]?.exists) return [];
  const copy = `copy (
    select name, data, date_trunc('day', keep_until, 'UTC') + interval '1 day' from pgboss.job
    where name in (${KEPT.map((name) => `'${name}'`).join(', ')}) and data is not null
      and state in ('created', 'retry', 'active')
    order by id) to stdout`;
  return [sectionOf(client, JOBS, COLUMNS, copy)];
}

/** Enqueues the backup's jobs that have not expired, with the settings of their queues. */
export async function restoreJobs(client: pg.ClientBase, { rows }: Section): Promise<number> {
  await client.query(
    'create temp table kept_jobs (name text, data jsonb, keep_until timestamptz) on commit drop',
  );
  const count = await copyIn(client, 'copy kept_jobs from stdin', rows);
  await client.query(
    `insert into pgboss.job (name, data, keep_until, expire_seconds, deletion_seconds, retry_limit,
        retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
      select name, data, keep_until, expire_seconds, deletion_seconds, retry_limit,
        retry_delay, coalesce(retry_backoff, false), retry_delay_max, policy, dead_letter,
        heartbeat_seconds
      from kept_jobs join pgboss.queue using (name)
      where name = any($1) and keep_until > now() order by gen_random_uuid()`,
    [KEPT],
  );
  return count;
}

type Isolation = 'read committed' | 'repeatable read';

/**
 * Runs work in one transaction, both with Kysely and with the client itself, for COPY. Closes the
 * connection afterward.
 */
export async function onOneConnection<T>(
  pool: pg.Pool,
  isolation: Isolation,
  work: (client: pg.PoolClient, trx: Db) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener, losing the connection would end the process. The queries fail anyway.
  client.on('error', () => {});
  // A rollback would wait for a COPY that nobody reads anymore. Closing the connection rolls back.
  let failed = false;
  const query = async (text: string, values: unknown[]) =>
    failed ? { rows: [] } : client.query(text, values);
  const dialect = new PostgresDialect({
    pool: { connect: async () => ({ query, release() {} }), end: async () => {} } as never,
  });
  try {
    return await new Kysely<DB>({ dialect })
      .transaction()
      .setIsolationLevel(isolation)
      .execute((trx) =>
        work(client, trx).catch((error: unknown) => {
          failed = true;
          throw error;
        }),
      );
  } finally {
    client.release(true);
  }
}
