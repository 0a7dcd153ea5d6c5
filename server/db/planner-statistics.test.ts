import type pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';

/** Columns whose values are public. */
const PUBLIC = new Set([
  'reviews.id',
  'review_votes.review_id',
  'review_reports.review_id',
  'review_decisions.review_id',
  'review_replies.review_id',
  'reply_reports.review_id',
  'cases.review_id',
  'legal_demands.review_id',
  'lineage.id',
]);

/** Columns that hold an account, a password, or a short-lived time under another type. */
const OTHERS = new Set([
  'audit_log.actor',
  'audit_log.subject',
  'rate_limits.points',
  'rate_limits.blocked_until',
  'rate_limits.ends_at',
  'rate_limit_salts.window_length',
  'rate_limit_salts.ends_at',
]);

/** Job columns that have nothing of an account in them. */
const OF_ANY_JOB = new Set(['pgboss.job.name', 'pgboss.job.state']);

const NAMED = /(_|^)(key|salt|mark|index|hash|secret|sealed|token|user_id|account_id)$/;
/** Public spellings, for comparing names. */
const COMPARED = /\.(name|city|position|custom_employer|title)_key$/;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly schema: string;
  readonly target: number;
}

/** Keys, salts, marks, blind indexes, hashes, sealed values, account ids, and waiting jobs. */
const isSecret = ({ schema, name, type }: Column) => {
  if (schema === 'pgboss') return !OF_ANY_JOB.has(name);
  if (PUBLIC.has(name) || COMPARED.test(name)) return false;
  return type === 'bytea' || type === 'uuid' || OTHERS.has(name) || NAMED.test(name);
};

async function secretColumns(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(
    // A partition's columns under the name of the whole table.
    `select coalesce(pg_partition_root(pg_class.oid), pg_class.oid)::regclass || '.' || attname as name,
       atttypid::regtype::text as type, nspname as schema, coalesce(attstattarget, -1) as target
     from pg_attribute
       join pg_class on attrelid = pg_class.oid
       join pg_namespace on relnamespace = pg_namespace.oid
     where attnum > 0 and not attisdropped
       and (nspname = 'public' and relkind in ('r', 'p') or nspname = 'pgboss' and relname = 'job_common')
     order by 1`,
  );
  return rows.filter(isSecret);
}

test('the planner keeps no statistics of any key, salt, mark, index, hash, or account', async () => {
  const { pool } = await testDatabase();
  const columns = await secretColumns(pool);
  const names = columns.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'users.email_index',
      'users.password_hash',
      'doctors.npi_index',
      'rate_limit_salts.salt',
      'mailbox_marks.mark',
      'review_votes.voter_key',
      'pgboss.job.data',
    ]),
  );
  for (const name of OTHERS) expect(names).toContain(name);
  expect(columns.filter(({ target }) => target !== 0).map(({ name }) => name)).toEqual([]);

  // Expressions of indexes have statistics, and so do groups of columns.
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `select indexrelid::regclass::text as name,
       array(select refobjid::regclass || '.' || attname from pg_depend
         join pg_attribute on attrelid = refobjid and attnum = refobjsubid
         where classid = 'pg_class'::regclass and objid = indexrelid) as columns
     from pg_index where indexprs is not null and exists (select from pg_attribute
       where attrelid = indexrelid and coalesce(attstattarget, -1) <> 0)
     union all
     select stxname, array(select stxrelid::regclass || '.' || attname from pg_attribute
       where attrelid = stxrelid and attnum = any (stxkeys)) from pg_statistic_ext`,
  );
  const secret = new Set(names);
  for (const group of rows) {
    expect([group.name, group.columns.filter((column) => secret.has(column))]).toEqual([
      group.name,
      [],
    ]);
  }
});

test('values that are gone are gone from the statistics, too', async () => {
  const { pool } = await testDatabase();
  await pool.query(`
    insert into rate_limit_salts values ('hour', now(), sha256('salt'));
    insert into rate_limits select sha256(n::text::bytea), n, null, now() from generate_series(1, 50) n;
    insert into mailbox_marks select sha256(n::text::bytea) from generate_series(1, 50) n;
    insert into npi_tombstones select sha256(n::text::bytea), sha256('sealed'), 'banned'
      from generate_series(1, 50) n;
    insert into sessions (account_key, sealed, expires_on)
      select sha256(n::text::bytea), sha256(n::text::bytea), '2026-01-01' from generate_series(1, 50) n;
    insert into audit_log (happened_on, actor, action, subject)
      select '2026-01-01', gen_random_uuid(), 'doctor.verify', gen_random_uuid()
      from generate_series(1, 50);
    insert into pgboss.job (name, data)
      select 'send-mail', jsonb_build_object('sealed', sha256(n::text::bytea)) from generate_series(1, 50) n`);
  await pool.query('analyze');
  await pool.query(`
    delete from rate_limits; delete from rate_limit_salts; delete from mailbox_marks;
    delete from npi_tombstones; delete from sessions; delete from audit_log; delete from pgboss.job`);
  const { rows } = await pool.query<{ column: string; values: string }>(
    `select tablename || '.' || attname as column,
       concat(most_common_vals::text, histogram_bounds::text) as values
     from pg_stats where schemaname in ('public', 'pgboss')`,
  );
  expect(rows.length).toBeGreaterThan(0);
  // Bytes, ids of accounts, and sealed jobs.
  const left = rows.filter(({ values }) =>
    /\\\\x[0-9a-f]{16}|[0-9a-f]{8}-[0-9a-f]{4}/.test(values),
  );
  expect(left.map(({ column }) => column)).toEqual([]);
});
