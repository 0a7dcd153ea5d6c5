import { sql } from 'kysely';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { insertReviews } from '#server/features/reviews/testing/many-reviews.ts';
import { list } from '#server/listing/listing.ts';
import type { ListDeps } from '#server/listing/resource.ts';
import { plansOf } from '#server/testing/plans.ts';
import { expect, testWith } from '#server/testing/site.ts';
import { REVIEWS } from './list-query.ts';

const REVIEW_COUNT = 3000;

const test = testWith();

/** Four years of reviews, with every number of stars and many scores. */
test.beforeAll(({ site }) =>
  insertReviews(site, REVIEW_COUNT, {
    createdAt: sql`timestamptz '2021-01-31 23:30Z'
      + (n * 7919 % 35000 + n / 1500 * 800) * interval '1 hour'`,
    stars: sql`1 + n * 7 % 5`,
    text: sql`case n % 5 when 0 then 'plain text' else 'quiet weekends' end`,
    helpfulCount: sql`case n % 3 when 0 then 0 else n % 17 end`,
    notHelpfulCount: sql`n % 11`,
  }),
);

const pageOf = (deps: ListDeps, isSampled: boolean, criteria: object) =>
  list<{ id: string }, never, never>(
    deps,
    { ...REVIEWS, isSampled: () => isSampled } as never,
    { page: 1, page_size: 20, ...criteria } as never,
    'quiet weekends',
  );

test.for(REVIEW_ORDERING_KEYS)(
  'the sample finds the same pages in the order %s',
  async (ordering, { site: { deps } }) => {
    for (const filters of [{}, { state: 'TX' }, { min_rating: 3, would_recommend: 'true' }]) {
      for (const page of [1, 2, 7, 12, 20]) {
        const criteria = { ...filters, ordering, page };
        const { rows, count } = await pageOf(deps, false, criteria);
        expect(await pageOf(deps, true, criteria)).toMatchObject({ rows, count });
      }
    }
  },
);

test.for(REVIEW_ORDERING_KEYS)(
  'with the sample, most matches are not read in the order %s',
  async (ordering, { site: { deps } }) => {
    const criteria = { ordering };
    await pageOf(deps, true, criteria);
    const plans = await plansOf(deps.db, (db) => pageOf({ ...deps, db }, true, criteria));
    // One statement, so the sample was not misleading.
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/reviews_search_sample/);
  },
);
