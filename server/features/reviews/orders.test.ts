import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { type ListDeps, list } from '#server/listing/listing.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import { plansOf } from '#server/testing/plans.ts';
import { REVIEWS } from './list-query.ts';

const REVIEW_COUNT = 3000;

let server: TestApp;

/** Four years of reviews. Their ids make the same sample every time. */
beforeAll(async () => {
  server = await buildTestApp();
  const { db } = server.deps;
  const texas = await newEmployer(server, { name: 'Cedar Valley Hospital', state: 'TX' });
  const maine = await newEmployer(server, { name: 'Lakeside Clinic', state: 'ME' });
  await sql`
    insert into reviews (id, author_key, employer_id, created_at, overall_rating,
      work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
      compensation_benefits_rating, review_text, position_title, start_year, is_current_employee,
      would_recommend, helpful_count, not_helpful_count, settled)
    select md5(n::text)::uuid, sha256(n::text::bytea), case when n % 3 = 0 then ${texas}::integer else ${maine} end,
      timestamptz '2021-01-31 23:30Z' + (n * 7919 % 35000 + n / 1500 * 800) * interval '1 hour',
      1 + n * 7 % 5, 3, 3, 3, 3,
      case n % 5 when 0 then 'plain text' else 'quiet weekends' end, 'Hospitalist', 2020, true,
      n % 2 = 0, case n % 3 when 0 then 0 else n % 17 end, n % 11, true
    from generate_series(1, ${REVIEW_COUNT}) as n`.execute(db);
  await sql`vacuum (analyze) reviews`.execute(db);
});
afterAll(() => server[Symbol.asyncDispose]());

const pageOf = (db: ListDeps['db'], isSampled: boolean, criteria: object) =>
  list<{ id: string }, never, never>(
    { ...server.deps, db },
    { ...REVIEWS, isSampled: () => isSampled } as never,
    { page: 1, page_size: 20, ...criteria } as never,
    'quiet weekends',
  );

test.each(REVIEW_ORDERING_KEYS)(
  'the sample finds the same pages in the order %s',
  async (ordering) => {
    for (const filters of [{}, { state: 'TX' }, { min_rating: 3, would_recommend: 'true' }]) {
      for (const page of [1, 2, 7, 12, 20]) {
        const criteria = { ...filters, ordering, page };
        const { rows, count } = await pageOf(server.deps.db, false, criteria);
        expect(await pageOf(server.deps.db, true, criteria)).toMatchObject({ rows, count });
      }
    }
  },
);

test.each(REVIEW_ORDERING_KEYS)(
  'with the sample, most matches are not read in the order %s',
  async (ordering) => {
    const criteria = { ordering };
    await pageOf(server.deps.db, true, criteria);
    const plans = await plansOf(server.deps.db, (db) => pageOf(db, true, criteria));
    // One statement, so the sample was not misleading.
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/reviews_search_sample/);
  },
);
