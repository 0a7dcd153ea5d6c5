import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';

/** docs/architecture.md, "Lock order": the tables that the reviews trigger changes, in order. */
const STEPS = [
  'delete from public.departing_reviews',
  'public.employer_ratings_add(',
  'public.employer_specialties_add(',
  'public.employer_years_add(',
  'public.employer_concerns_add(',
  'public.review_counts_add(',
  'delete from public.review_votes',
  'delete from public.review_reports',
  'delete from public.cases',
  'delete from public.review_decisions',
  'delete from public.review_replies',
];

test('one trigger per event fires once per statement and locks in order', async () => {
  const { pool } = await testDatabase();
  const { rows } = await pool.query<{ name: string; event: string; each: string }>(
    `select trigger_name as name, event_manipulation as event, action_orientation as each
     from information_schema.triggers
     where event_object_table = 'reviews' and action_timing = 'AFTER' and trigger_name <> 'changed'
     order by event`,
  );
  expect(rows).toEqual([
    { name: 'reviews_deleted', event: 'DELETE', each: 'STATEMENT' },
    { name: 'reviews_inserted', event: 'INSERT', each: 'STATEMENT' },
    { name: 'reviews_updated', event: 'UPDATE', each: 'STATEMENT' },
  ]);
  const source = await pool.query("select prosrc from pg_proc where proname = 'reviews_changed'");
  const places = STEPS.map((step) => source.rows[0].prosrc.indexOf(step));
  expect(places).toEqual(places.filter((at) => at >= 0).toSorted((a, b) => a - b));
});

test('reviews have few indexes and triggers, so that writing is cheap', async () => {
  const { pool } = await testDatabase();
  const { rows } = await pool.query(
    `select
      (select count(*)::int from pg_index where indrelid = 'reviews'::regclass
        and not exists (select from pg_constraint where conindid = indexrelid)) as indexes,
      (select count(*)::int from pg_trigger
        where tgrelid = 'reviews'::regclass and not tgisinternal) as triggers`,
  );
  expect(rows[0].indexes).toBeLessThanOrEqual(10);
  expect(rows[0].triggers).toBeLessThanOrEqual(6);
});

test('nobody waits to add a search word', async () => {
  const { pool } = await testDatabase();
  const { rows } = await pool.query(
    `select from pg_index where indisunique
     and indrelid in ('search_words'::regclass, 'employer_words'::regclass)`,
  );
  expect(rows).toEqual([]);
  const [one, other] = [await pool.connect(), await pool.connect()];
  try {
    for (const client of [one, other]) {
      await client.query("begin; set local lock_timeout = '5s'");
      await client.query(
        `insert into employers (name, source, employer_type) values ('Quillwort', 'demo', 'clinic')`,
      );
    }
    await Promise.all([one.query('commit'), other.query('commit')]);
    const count = "select count(*)::int as n from employer_words where word = 'quillwort'";
    expect((await pool.query(count)).rows).toEqual([{ n: 2 }]);
    await pool.query('select employer_words_recompute()');
    expect((await pool.query(count)).rows).toEqual([{ n: 1 }]);
  } finally {
    one.release();
    other.release();
  }
});

/** Keeps processors busy, so that statements are interrupted anywhere. */
function burn(workers: number) {
  const code = 'const end = Date.now() + 120_000; while (Date.now() < end);';
  const burners = Array.from({ length: workers }, () => new Worker(code, { eval: true }));
  onTestFinished(async () => {
    await Promise.all(burners.map((burner) => burner.terminate()));
  });
}

const ROUNDS = 200;
const WRITERS = 10;

test('statements that write several reviews of several employers do not deadlock, 200 times on a busy processor', {
  timeout: 180_000,
}, async () => {
  const { db } = await testDatabase();
  await db
    .insertInto('employers')
    .values(['A', 'B', 'C'].map((name) => ({ source: 'demo', name, employer_type: 'hospital' })))
    .execute();
  burn(1);
  // Each word is new to all writers of a round, in either order. Not through inTransaction, because
  // nothing should be retried.
  const writeAll = (round: number, who: number) =>
    sql`
      insert into reviews (author_key, employer_id, created_at, overall_rating,
        work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
        compensation_benefits_rating, review_text, position_title, start_year, would_recommend,
        is_current_employee)
      select ${createHash('sha256').update(`${round} ${who}`).digest()}, id, '2026-11-20', 3, 3, 3,
        3, 3, 'word' || ${round}::integer || name, 'Hospitalist', 2020, true, true
      from employers order by id * ${who % 2 === 0 ? 1 : -1}::integer
    `.execute(db);
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: WRITERS }, (_, who) => writeAll(round, who)));
  }
  const kept = await db.selectFrom('employer_ratings').select('total_reviews').execute();
  expect(kept.map(({ total_reviews }) => total_reviews)).toEqual(Array(3).fill(ROUNDS * WRITERS));
});
