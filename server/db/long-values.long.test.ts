import type pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { REWRITTEN } from './rewrite.ts';
import { rewriteTables } from './testing/rewrite.ts';

/**
 * Random text of as many characters, which no compression shortens. Text is limited in UTF-16 units,
 * so the longest has three bytes per character.
 */
const FUNCTIONS = `
  create function words(length int) returns text language sql volatile as
    $$ select string_agg(chr(19968 + floor(random() * 20000)::int), '')
       from generate_series(1, length) $$;
  create function bytes(length int) returns bytea language sql volatile as
    $$ select substr(string_agg(uuid_send(gen_random_uuid()), ''::bytea), 1, length)
       from generate_series(0, length / 16) $$`;

/** For each table whose rows fit a page: the longest row, with the limits of contract/limits.ts. */
const LONGEST = [
  `insert into users (id, sealed, email_index, password_hash, author_secret, recovery_secret, author_salt)
   values ('${'0'.repeat(8)}-0000-4000-8000-000000000000', bytes(3200), bytes(32), repeat('x', 100),
     bytes(60), bytes(60), bytes(120))`,
  `insert into sessions (account_key, sealed, expires_on) values (bytes(32), bytes(600), '2026-01-01')`,
  `insert into one_time_codes (details_key, address_key, sealed) values (bytes(32), bytes(32), bytes(3200))`,
  'insert into password_resets values (bytes(32), bytes(32), bytes(3200))',
  'insert into email_changes (account_key, confirm_hash, sealed) values (bytes(32), bytes(32), bytes(3200))',
  `insert into email_undos values (bytes(32), bytes(32), bytes(32), bytes(3200), 1, '2026-01-01')`,
  'insert into letters (user_id, sealed) select id, bytes(3200) from users',
  'insert into mailbox_codes (user_id, sealed) select id, bytes(3200) from users',
  'insert into staff_factors (user_id, sealed) select id, bytes(3200) from users',
  'insert into saved_lists (user_id, sealed) select id, bytes(3622) from users',
  `insert into shared_decisions (account_id, decision, actor, decided_on, reason)
   select id, 'evict', repeat('0', 36), '2026-01-01', words(500) from users`,
  "insert into mailbox_quotas (mark, month, used) values (bytes(32), '2026-01-01', 1)",
  'insert into review_authors (author_key, job) values (bytes(32), bytes(16))',
  `insert into npi_tombstones (npi_index, sealed, kind) values (bytes(32), bytes(3200), 'banned')`,
  `insert into representatives (user_id, employer_id, reason) select users.id, employers.id, words(500)
   from users, employers`,
  `insert into employer_corrections (employer_id, field, value, source)
   select id, 'address', to_jsonb(words(300)), words(300) from employers`,
  `insert into review_reports (review_id, reporter_key, reason, note, reported_on)
   select id, bytes(32), 'other', words(500), '2026-01-01' from reviews`,
  `insert into review_decisions (id, review_id, number, decided_on, outcome, rule, note, source)
   select id, id, 1, '2026-01-01', 'keep', 'other', words(500), 'report' from reviews`,
  `insert into review_replies (review_id, employer_id, written_by, text, replied_on, note)
   select id, employer_id, id, words(2000), '2026-01-01', words(500) from reviews`,
  `insert into reply_reports (review_id, reporter_key, reason, note, reported_on)
   select id, bytes(32), 'other', words(500), '2026-01-01' from reviews`,
  `insert into legal_demands (kind, received_on, jurisdiction, sender, docket)
   values ('other', '2026-01-01', words(100), words(200), words(100))`,
  `insert into audit_log (happened_on, actor, action, subject, details)
   values ('2026-01-01', 'cli', 'review.keep', words(300),
     jsonb_build_object('reason', words(500), 'note', words(500)))`,
];

/** A review whose pros and cons have as many random letters. */
const longReview = (table: string, minute: string, letters: number) =>
  `insert into ${table} (employer_id, ${minute}, overall_rating, work_life_balance_rating,
     mentorship_growth_rating, team_collaboration_rating, compensation_benefits_rating, review_text,
     pros, cons, position_title, start_year, would_recommend, is_current_employee)
   select id, '2026-01-01', 3, 3, 3, 3, 3, 'at ' || at || ' ' || words(4990), words(${letters}),
     words(${letters}), 'Fellow', 2020, true, true from employers`;

/** Rows longer than a page, each in its own transaction, and the column that starts with its number. */
const ROWS = 100;
const MAY_BE_LONGER = {
  reviews: longReview('reviews', 'created_at', 100),
  scheduled_reviews: longReview('scheduled_reviews', 'publish_at', 5000),
  review_appeals: `with review as (
      insert into review_decisions (review_id, number, decided_on, outcome, rule, source)
      select id, 1 + at, '2026-01-01', 'keep', 'other', 'report' from reviews order by id limit 1
      returning id)
    insert into review_appeals (decision_id, text, answer)
    select id, 'at ' || at || ' ' || words(1990), words(2000) from review`,
  'pgboss.job_common': `insert into pgboss.job (name, data)
    values ('saved-news', jsonb_build_object('at', 'at ' || at || ' ', 'sealed',
      encode(bytes(20000), 'base64')))`,
};

async function pool() {
  // Without a limit for one statement.
  const { pool } = (await testDatabase()).background;
  await pool.query(FUNCTIONS);
  await pool.query(
    `insert into employers (source, source_id, name, employer_type) values ('demo', '1', 'Clinic', 'clinic')`,
  );
  return pool;
}

/** Calls a statement with each number `at`, each time in its own transaction. */
const each = (db: pg.Pool, rows: number, statement: string) =>
  db.query(`do $$ begin for at in 1..${rows} loop ${statement}; commit; end loop; end $$`);

/** How many chunks a table has out of line, and the bytes of the file that they lie in. */
async function outOfLine(db: pg.Pool, table: string) {
  const { rows } = await db.query<{ chunks: string }>(
    `select reltoastrelid::regclass as chunks from pg_class
     where oid = $1::regclass and reltoastrelid <> 0`,
    [table],
  );
  const [found] = rows;
  if (!found) return { chunks: [], bytes: 0 };
  const size = await db.query('select pg_relation_size($1::regclass)::int as bytes', [
    found.chunks,
  ]);
  const chunks = await db.query<{ id: number; data: string }>(
    `select chunk_id::int as id, encode(chunk_data, 'escape') as data from ${found.chunks}
     where chunk_seq = 0 order by chunk_id`,
  );
  return { chunks: chunks.rows, bytes: size.rows[0].bytes };
}

test('rows that fit a page leave no value out of line, not even their longest ones', async () => {
  const db = await pool();
  await each(db, 1, MAY_BE_LONGER.reviews);
  for (const statement of LONGEST) await db.query(statement);
  await rewriteTables(db);
  const filled = new Set(LONGEST.map((statement) => /into (\w+)/.exec(statement)?.[1]));
  const { rows } = await db.query<{ name: string }>(
    `select distinct relname::text as name from pg_class
       join pg_attribute on attrelid = pg_class.oid and attnum > 0 and attlen = -1
     where relname = any ($1) and relnamespace = 'public'::regnamespace
       and reltoastrelid <> 0`,
    [Object.keys(REWRITTEN)],
  );
  for (const { name } of rows) {
    expect([name, (await outOfLine(db, name)).bytes]).toEqual([name, 0]);
    const { rowCount } = await db.query(`select from ${name}`);
    if (filled.has(name)) expect([name, rowCount]).toEqual([name, 1]);
  }
});

test('once rewritten, long values do not show the order in which they were written', async () => {
  const db = await pool();
  for (const [table, statement] of Object.entries(MAY_BE_LONGER)) {
    await each(db, ROWS, statement.replaceAll("'Fellow'", "'Fellow ' || at"));
    const written = await orderOf(db, table);
    expect([table, written.length, correlation(written)]).toEqual([table, ROWS, 1]);
  }
  await rewriteTables(db);
  for (const table of Object.keys(MAY_BE_LONGER)) {
    const rewritten = await orderOf(db, table);
    expect(rewritten.length).toBe(ROWS);
    // Seven standard deviations of a random order: exceeded once in a hundred billion runs.
    expect([table, Math.abs(correlation(rewritten)) < 7 / Math.sqrt(ROWS - 1)]).toEqual([
      table,
      true,
    ]);
  }
});

/** The numbers of the rows, in the order of the ids of their values. */
async function orderOf(db: pg.Pool, table: string): Promise<number[]> {
  const { chunks } = await outOfLine(db, table);
  return chunks.flatMap(({ data }) => {
    const number = /at (\d+) /.exec(data)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Spearman's rank correlation of the numbers from 1 on with their own order. */
function correlation(ranks: readonly number[]): number {
  const mean = (ranks.length + 1) / 2;
  let [covariance, variance] = [0, 0];
  for (const [at, rank] of ranks.entries()) {
    covariance += (at + 1 - mean) * (rank - mean);
    variance += (at + 1 - mean) ** 2;
  }
  return covariance / variance;
}
