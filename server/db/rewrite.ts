import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { holdingLock, LOCKS } from './advisory-lock.ts';
import { inYieldingTransaction } from './transaction.ts';

/** How long one run waits for transactions that began before an update, for all tables together. */
const PATIENCE_MS = 5000;
const POLL_MS = 20;

/** How much longer this run may wait. */
interface Patience {
  ms: number;
}

/**
 * Waits until no transaction can still see the rows from before an update, because CLUSTER would copy
 * them, too, and VACUUM would keep the marks of locks. Those in other databases count, because every
 * snapshot reaches back to the oldest one. Goes on after a while: a backup may read for hours, and
 * every table would wait for it.
 */
async function pastTransactions(pool: pg.Pool, patience: Patience) {
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::text as now');
  for (;;) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where pid <> pg_backend_pid()
         and greatest(age(backend_xid), age(backend_xmin)) > age($1::xid8::xid)`,
      [rows[0]?.now],
    );
    if (rowCount === 0 || patience.ms <= 0) return;
    patience.ms -= POLL_MS;
    await pause(POLL_MS);
  }
}

/**
 * Tables whose rows belong to an account, even if only by a keyed hash, and the column to update.
 * Their primary keys are random. Reasons: docs/anonymity.md, "The nightly rewrite".
 */
export const REWRITTEN = {
  users: 'password_hash',
  doctors: 'verified',
  sessions: 'expires_on',
  one_time_codes: 'attempts',
  password_resets: 'sealed',
  email_changes: 'sealed',
  letters: 'attempts',
  mailbox_codes: 'attempts',
  mailbox_marks: 'mark',
  mailbox_quotas: 'used',
  email_undos: 'sealed',
  review_authors: 'author_key',
  review_votes: 'voter_key',
  review_reports: 'note',
  review_decisions: 'note',
  departing_reviews: 'leaves_at',
  rate_limits: 'points',
  // Old salts would stay in the free space of its file.
  rate_limit_salts: 'salt',
  audit_log: 'action',
  npi_tombstones: 'kind',
  shared_decisions: 'reason',
  saved_lists: 'sealed',
  employer_corrections: 'source',
  cases: 'priority',
  case_notes: 'is_question',
  legal_demands: 'kind',
  staff_factors: 'sealed',
  staff_digests: 'done_on',
  representatives: 'state',
  review_replies: 'note',
  reply_reports: 'note',
} as const;

/**
 * Like `REWRITTEN`, for tables with rows that may be longer than a page. Long values are stored out of
 * line, under ids that count up, and keep them through an update of another column and CLUSTER.
 */
export const REWRITTEN_ANEW = ['scheduled_reviews', 'review_appeals', 'pgboss.job_common'] as const;

/**
 * Tables that are not rewritten as a whole, whose rows are locked by transactions that write rows
 * referring to them. Freezing removes these marks (`xmax`).
 */
export const FROZEN = [
  'reviews',
  'employers',
  'employer_identifiers',
  'employer_imports',
  'pgboss.queue',
] as const;

/** Changed reviews per transaction. Writers wait for it; readers do not. */
const REVIEWS_AT_ONCE = 1000;
/** At least this many other reviews move too. */
const MIN_OTHERS = 100;

/**
 * Rewrites tables so that neither the order of rows on disk (`ctid`) nor their transaction id
 * (`xmin`) shows who did what and when.
 */
export function rewriteTables(pool: pg.Pool, patienceMs = PATIENCE_MS): Promise<void> {
  return holdingLock(pool, LOCKS.rewrite, () => rewriteAll(pool, { ms: patienceMs }));
}

async function rewriteAll(pool: pg.Pool, patience: Patience): Promise<void> {
  for (const [table, column] of Object.entries(REWRITTEN)) {
    for (const part of await partsOf(pool, table)) {
      await rewriteTable(pool, patience, part, `update ${part} set ${column} = ${column}`);
    }
  }
  for (const table of REWRITTEN_ANEW) {
    const columns = await longColumns(pool, table);
    // A restored database has no job queue yet.
    if (columns.length > 0) {
      await rewriteTable(pool, patience, table, inRandomOrder(table, columns));
    }
  }
  // Until all reviews changed so far have moved; later changes move the next night.
  while ((await moveReviews(pool)) === REVIEWS_AT_ONCE);
  await pastTransactions(pool, patience);
  // `vacuum` also removes old versions of rows, and skips pages that are already frozen.
  const { rows: frozen } = await pool.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [FROZEN],
  );
  await pool.query(`vacuum (freeze) ${frozen.map(({ name }) => name).join(', ')}`);
  await pool.query('select words_recompute()');
  await dropLog(pool);
}

/**
 * Deletes the write-ahead log until now, which has all of it in order. Only where the server deletes
 * old log files, as the embedded one does: elsewhere, bytes stay in them anyway.
 */
async function dropLog(pool: pg.Pool) {
  const { rows } = await pool.query<{ can_drop: boolean }>(
    `select current_setting('wal_recycle')::boolean = false
       and has_function_privilege('pg_switch_wal()', 'execute')
       and pg_has_role('pg_checkpoint', 'usage') as can_drop`,
  );
  if (!rows[0]?.can_drop) return;
  await pool.query('select pg_switch_wal()');
  await pool.query('checkpoint');
}

/**
 * A table's partitions, or the table itself. The last one first: a statement that locks all of them
 * does so from the first to the last, and so waits for only one of them.
 */
async function partsOf(pool: pg.Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ part: string }>(
    `select inhrelid::regclass::text as part from pg_inherits
     where inhparent = to_regclass($1) order by inhrelid desc`,
    [table],
  );
  return rows.length > 0 ? rows.map(({ part }) => part) : [table];
}

/**
 * One transaction updates every row, because CLUSTER alone would keep their old `xmin`. CLUSTER
 * then writes them to a new file, ordered by the random key, so that no trace of the old order is
 * left.
 */
async function rewriteTable(pool: pg.Pool, patience: Patience, table: string, update: string) {
  await inTransaction(pool, async (client) => {
    // Prevents deadlocks with transactions that change several rows.
    await client.query(`lock table ${table} in share row exclusive mode`);
    await client.query(update);
  });
  await pastTransactions(pool, patience);
  const key = `${table.split('.').at(-1)}_pkey`;
  await inTransaction(pool, (client) => client.query(`cluster ${table} using ${key}`));
}

/** The columns of a table that may be stored out of line; none without the table. */
async function longColumns(pool: pg.Pool, table: string): Promise<LongColumn[]> {
  const { rows } = await pool.query<LongColumn>(
    `select quote_ident(attname) as name, atttypid::regtype::text as type from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''
       and atttypid in ('text'::regtype, 'bytea'::regtype, 'jsonb'::regtype)`,
    [table],
  );
  return rows;
}

interface LongColumn {
  readonly name: string;
  readonly type: string;
}

/** Gives each row new values, equal to the old ones, row by row in random order. */
const inRandomOrder = (table: string, columns: readonly LongColumn[]) => `do $$
  declare
    place tid;
  begin
    for place in select ctid from ${table} order by random() loop
      update ${table} set ${columns.map(anew).join(', ')} where ctid = place;
    end loop;
  end $$`;

const anew = ({ name, type }: LongColumn) =>
  `${name} = ${type === 'jsonb' ? `${name}::text::jsonb` : `${name} || ''::${type}`}`;

/**
 * Deletes changed reviews and inserts them again in random order, together with at least as many
 * other random reviews. All of them then share one `xmin`, so it does not show which ones changed:
 * on a quiet day, those could be by a single author. Readers are not blocked, and the rest of the
 * large table stays in place. Returns how many changed reviews were moved.
 */
async function moveReviews(pool: pg.Pool): Promise<number> {
  return inTransaction(pool, async (client) => {
    // In the usual order: docs/architecture.md, "Lock order".
    await client.query(
      'lock table reviews, review_votes, review_reports in share row exclusive mode',
    );
    // Nothing really changes, so counts, ratings, and notifications must not be triggered.
    await client.query('alter table reviews disable trigger user');
    const columns = (await writtenColumns(client)).join(', ');
    const { rows } = await client.query<{ changed: number }>(`
      with changed as (
        -- skips reviews locked by a vote until the next night
        select id from reviews where not settled order by id limit ${REVIEWS_AT_ONCE}
        for update skip locked
      ),
      random_places as (
        select gen_random_uuid() as place
        from generate_series(1, (
          select case when count(*) = 0 then 0 else 2 * greatest(count(*), ${MIN_OTHERS}) end
          from changed))
      ),
      others as (
        -- ids are random, so the next one after a random place (reviews_pkey) is a random review
        select id from random_places cross join lateral (
          select id, settled from reviews where id >= place order by id limit 1
        ) as other
        where settled
        group by id
        order by random()
        limit (select greatest(count(*), ${MIN_OTHERS}) from changed)
      ),
      moved as (
        delete from reviews where id in (
          select id from changed
          union all select id from (
            select id from reviews where id in (select id from others) for update skip locked
          ) as unlocked)
        returning ${columns}
      ),
      put_back as (
        insert into reviews (${columns}, settled)
        select ${columns}, true from moved order by random()
      )
      select count(*)::int as changed from changed`);
    await client.query('set constraints all immediate');
    await client.query('alter table reviews enable trigger user');
    return rows[0]?.changed ?? 0;
  });
}

/** All columns of reviews except generated ones and `settled`. */
async function writtenColumns(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = 'reviews'
       and is_generated = 'NEVER' and column_name <> 'settled'`,
  );
  return rows.map(({ column_name }) => `"${column_name}"`);
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await inYieldingTransaction(client, () => work(client));
  } finally {
    client.release();
  }
}
