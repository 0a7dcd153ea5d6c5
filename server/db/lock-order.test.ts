import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';

/** docs/architecture.md, "Lock order": the tables that the reviews trigger changes, in order. */
const STEPS = [
  'delete from public.departing_reviews',
  // The ratings of the employers of deleted reviews.
  'old_rows where removed_reason is null order by 1',
  'delete from public.review_votes',
  'delete from public.review_reports',
  'delete from public.cases',
  'delete from public.review_decisions',
  'delete from public.review_replies',
  'from public.review_authors where',
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
        where tgrelid = 'reviews'::regclass and not tgisinternal) as triggers,
      (select array_agg(trigger_name::text) from information_schema.triggers
        where event_object_table = 'reviews' and action_timing = 'BEFORE'
          and event_manipulation = 'UPDATE') as before_updates`,
  );
  expect(rows[0].indexes).toBeLessThanOrEqual(10);
  expect(rows[0].triggers).toBeLessThanOrEqual(6);
  // With one, each vote would compute all generated columns again.
  expect(rows[0].before_updates).toBeNull();
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
    await pool.query('select words_recompute()');
    expect((await pool.query(count)).rows).toEqual([{ n: 1 }]);
  } finally {
    one.release();
    other.release();
  }
});
