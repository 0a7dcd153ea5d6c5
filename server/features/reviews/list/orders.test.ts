import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { insertReviews } from '#server/features/reviews/testing/many-reviews.ts';
import { list } from '#server/listing/listing.ts';
import type { ListDeps } from '#server/listing/resource.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { plansOf } from '#server/testing/plans.ts';
import { REVIEWS } from './list-query.ts';

const REVIEW_COUNT = 3000;

let server: TestApp;

/** Four years of reviews, with every number of stars and many scores. */
beforeAll(async () => {
  server = await buildTestApp();
  await insertReviews(server, REVIEW_COUNT, {
    createdAt: sql`timestamptz '2021-01-31 23:30Z'
      + (n * 7919 % 35000 + n / 1500 * 800) * interval '1 hour'`,
    stars: sql`1 + n * 7 % 5`,
    text: sql`case n % 5 when 0 then 'plain text' else 'quiet weekends' end`,
    helpfulCount: sql`case n % 3 when 0 then 0 else n % 17 end`,
    notHelpfulCount: sql`n % 11`,
  });
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
