import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { REWRITTEN, REWRITTEN_ANEW } from './rewrite.ts';
import { rewriteTables } from './testing/rewrite.ts';

/** These tables refer to no account and no review. */
const LEFT_AS_THEY_ARE = new Set([
  'employers',
  'employer_identifiers',
  'employer_import_changes',
  'employer_imports',
  'employer_merges',
  'employer_ratings',
  'employer_records',
  'employer_specialties',
  'employer_words',
  'institution_domains',
  'key_prints',
  // Written by staff alone. It names no account, and its rows are up to 10 MB.
  'legal_documents',
  'lineage',
  'migrations',
  'physician_counts',
  'position_titles',
  'registry_files',
  'registry_physicians',
  'saved_mailings',
  'search_words',
]);

test('every table is either rewritten or known to need no rewrite', async () => {
  const { pool } = await testDatabase();
  const { rows } = await pool.query<{ relname: string }>(
    `select relname from pg_class
     where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace`,
  );
  const anew = REWRITTEN_ANEW.filter((table) => !table.startsWith('pgboss.'));
  const known = new Set([...Object.keys(REWRITTEN), ...anew, 'reviews', ...LEFT_AS_THEY_ARE]);
  expect(new Set(rows.map(({ relname }) => relname))).toEqual(known);
});

const REVIEW = `insert into reviews (employer_id, created_at, overall_rating,
    work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
    compensation_benefits_rating, review_text, position_title, start_year, would_recommend,
    is_current_employee)`;

/** 300 accounts with a review and a vote each. Each row has its own transaction, as in production. */
async function filled() {
  // Without a limit for one statement.
  const { pool } = (await testDatabase()).background;
  await pool.query(`do $$
    declare
      hospitals bigint[];
      review uuid;
    begin
      with added as (
        insert into employers (source, source_id, name, employer_type)
        select 'demo', n, 'Hospital ' || n, 'hospital' from generate_series(1, 3) as n returning id)
      select array_agg(id) into hospitals from added;
      for at in 0..299 loop
        insert into users (sealed, email_index, password_hash, author_secret, recovery_secret, author_salt)
          values ('', int4send(at), 'x', decode(repeat('00', 60), 'hex'),
            decode(repeat('00', 60), 'hex'), '');
        commit;
        ${REVIEW} values (hospitals[1 + at % 3], date_trunc('minute', now()), 1 + at % 5, 3, 3, 3, 3,
          repeat('word ', 100), 'Fellow', 1000 + at, true, true) returning id into review;
        insert into review_authors values (review, sha256(at::text::bytea), substring(sha256('') for 16));
        commit;
        insert into review_votes values (review, sha256(at::text::bytea), true);
        commit;
      end loop;
    end $$`);
  return pool;
}

const physical = (table: string, order: string) =>
  `select array_agg(n order by part, ctid) as places, count(distinct xmin::text)::int as writers,
     count(distinct part)::int as parts
   from (select tableoid as part, ctid, xmin, rank() over (order by ${order}) as n
     from ${table}) as rows`;

test('neither the position nor the transaction of a row shows when it was written', async () => {
  const pool = await filled();
  const before = await pool.query(physical('users', 'email_index'));
  expect(correlation(before.rows[0].places)).toBe(1);
  await rewriteTables(pool);
  await pool.query(
    `create function author_key_order(key bytea) returns int language sql as
     $$ select n from generate_series(0, 299) as n where sha256(n::text::bytea) = key $$`,
  );
  for (const [table, order] of [
    ['users', 'email_index'],
    ['reviews', 'start_year'],
    ['review_authors', 'author_key_order(author_key)'],
    ['review_votes', 'author_key_order(voter_key)'],
  ] as const) {
    const { rows } = await pool.query(physical(table, order));
    expect(rows[0].places).toHaveLength(300);
    // Seven standard deviations of a random order: exceeded once in a hundred billion runs.
    expect(Math.abs(correlation(rows[0].places))).toBeLessThan(7 / Math.sqrt(299));
    expect([table, rows[0].writers]).toEqual([table, rows[0].parts]);
  }
});

test('moves the changes of one author among at least as many others', async () => {
  const pool = await filled();
  await rewriteTables(pool);
  // Someone edits three reviews; nothing else happens that day.
  const { rows: edited } = await pool.query<{ id: string }>(
    `update reviews set pros = 'Nights' where id in (select id from reviews limit 3) returning id`,
  );
  await rewriteTables(pool);
  const { rows: groups } = await pool.query<{ moved: string[] }>(
    'select array_agg(id) as moved from reviews group by xmin::text',
  );
  const group = groups.find(({ moved }) => moved.includes(edited[0]?.id ?? ''))?.moved ?? [];
  for (const { id } of edited) expect(group).toContain(id);
  expect(group.length).toBeGreaterThanOrEqual(2 * edited.length);
  expect(group.length).toBeGreaterThan(50);
  expect(group.length).toBeLessThan(300);

  // Their ids reveal nothing either: the others come from the whole range.
  const others = group.filter((id) => !edited.some((one) => one.id === id));
  const starts = others.map((id) => Number.parseInt(id.slice(0, 2), 16)).toSorted((a, b) => a - b);
  expect(starts[0]).toBeLessThan(64);
  expect(starts.at(-1)).toBeGreaterThan(191);
});

test('picking other rows reads few rows when every review has changed', async () => {
  const pool = await filled();
  await pool.query(`${REVIEW}
    select (select min(id) from employers), '2026-11-20', 3, 3, 3, 3, 3,
      'word', 'Resident', 2020, true, true from generate_series(1, 1700) as n`);
  const read = async () => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      "select idx_tup_read::int as n from pg_stat_user_indexes where indexrelname = 'reviews_pkey'",
    );
    return rows[0].n;
  };
  const before = await read();
  await rewriteTables(pool);
  // Two batches of 1,000 with at most 2,000 others each; each row is looked up a few times.
  expect((await read()) - before).toBeLessThan(50_000);
});

test('does not change the content of the tables', async () => {
  const pool = await filled();
  const told = async () => {
    const tables = [
      'reviews',
      'review_authors',
      'review_votes',
      'users',
      'employer_ratings',
      'employer_specialties',
    ];
    const texts = tables.map(async (table) => {
      const { rows } = await pool.query(
        `select (to_jsonb(t) - 'settled')::text as row from ${table} as t order by 1`,
      );
      return rows;
    });
    const constraints = await pool.query(
      `select conname, pg_get_constraintdef(oid), condeferred from pg_constraint
       where connamespace = 'public'::regnamespace order by 1`,
    );
    const triggers = await pool.query(
      'select tgname, tgenabled from pg_trigger where not tgisinternal order by 1',
    );
    return [...(await Promise.all(texts)), constraints.rows, triggers.rows];
  };
  const before = await told();
  await rewriteTables(pool);
  expect(await told()).toEqual(before);
  // The triggers work again.
  await pool.query('delete from reviews');
  const { rows } = await pool.query(
    'select (select count(*) from review_votes)::int as votes, (select sum(total_reviews) from employer_ratings)::int as counted',
  );
  expect(rows).toEqual([{ votes: 0, counted: 0 }]);
});

test('readers always see every review, and only writers wait', async () => {
  const pool = await filled();
  let done = false;
  const rewriting = rewriteTables(pool).finally(() => {
    done = true;
  });
  const counts = new Set<number>();
  let votes = 0;
  while (!done) {
    const { rows } = await pool.query('select count(*)::int as n from reviews');
    counts.add(rows[0].n);
    const vote = await pool.query(`begin;
      lock table reviews, review_votes, review_reports in row exclusive mode;
      insert into review_votes select id, sha256(uuid_send(gen_random_uuid())), true from reviews
        order by random() limit 1;
      commit`);
    votes += [vote].flat()[2]?.rowCount ?? 0;
  }
  await rewriting;
  expect(counts).toEqual(new Set([300]));
  const { rows } = await pool.query('select sum(helpful_count)::int as n from reviews');
  expect(rows[0].n).toBe(300 + votes);
});

test('writes one partition after another, the last one first', async () => {
  const { pool } = await testDatabase();
  const files = async () => {
    const { rows } = await pool.query<{ name: string; file: string }>(
      `select relname as name, relfilenode::text as file from pg_class
       where relkind = 'r' and oid in (select relid from pg_partition_tree('review_authors')
         union select relid from pg_partition_tree('review_votes'))
       order by relfilenode desc`,
    );
    return rows;
  };
  const before = await files();
  expect(before).toHaveLength(8);
  await rewriteTables(pool);
  const after = await files();
  expect(after.map(({ file }) => before.find((part) => part.file === file))).toEqual(
    after.map(() => undefined),
  );
  // Files have numbers in the order in which they were created.
  expect(after.map(({ name }) => name)).toEqual(
    ['review_votes', 'review_authors'].flatMap((table) => [0, 1, 2, 3].map((n) => `${table}_${n}`)),
  );
});

/** Spearman's rank correlation of a list with its own order. */
function correlation(ranks: number[]): number {
  const mean = (ranks.length - 1) / 2;
  let covariance = 0;
  let variance = 0;
  for (const [at, rank] of ranks.entries()) {
    covariance += (at - mean) * (rank - 1 - mean);
    variance += (at - mean) ** 2;
  }
  return covariance / variance;
}
