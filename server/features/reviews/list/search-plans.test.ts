import { sql } from 'kysely';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import { insertReviews } from '#server/features/reviews/testing/many-reviews.ts';
import { list } from '#server/listing/listing.ts';
import type { ListDeps } from '#server/listing/resource.ts';
import { plansOf } from '#server/testing/plans.ts';
import { expect, testWith } from '#server/testing/site.ts';
import type { ReviewCriteria } from './list-filters.ts';
import { REVIEWS } from './list-query.ts';

const REVIEW_COUNT = 3000;
const FIRST_PAGE = { page: 1, page_size: 20 };

const test = testWith();

/** A tenth of the reviews have both words, but PostgreSQL expects a hundredth. */
test.beforeAll(({ site }) =>
  insertReviews(site, REVIEW_COUNT, {
    createdAt: sql`timestamptz '2024-01-01Z' + n * interval '1 minute'`,
    stars: sql`1 + n % 5`,
    text: sql`case when n / 5 % 10 = 0 then 'quiet weekends' else 'plain text' end`,
  }),
);

test.for([
  ['-created_at', 'reviews_newest', {}],
  ['-helpful', 'reviews_helpful', {}],
  ['overall_rating', 'reviews_by_rating', { position_title: 'Hospitalist' }],
] satisfies [ReviewOrdering, string, Partial<ReviewCriteria>][])(
  'a broad search scans the order %s, however few matches PostgreSQL expects',
  async ([ordering, index, filters], { site: { deps } }) => {
    const criteria = { ...FIRST_PAGE, ...filters, ordering };
    const read = (db: ListDeps['db']) => list({ ...deps, db }, REVIEWS, criteria, 'quiet weekends');
    // The first request counts the matches, and so reads all of them.
    await read(deps.db);
    const page = (await plansOf(deps.db, read)).at(-1);
    expect(page).toMatch(new RegExp(`Index Scan using ${index}\\b`));
    expect(page).not.toMatch(/Seq Scan|Bitmap/);
  },
);

test('an order includes the reviews that a filter excludes, unless an index has the filter', async ({
  site,
}) => {
  const listed = async (criteria: object) => {
    const search = { match: 'quiet', isClosest: false };
    return (await REVIEWS.count(site.deps, { ...FIRST_PAGE, ...criteria }, search)).listed;
  };
  expect(await listed({})).toBe(REVIEW_COUNT);
  expect(await listed({ would_recommend: 'true' })).toBe(REVIEW_COUNT);
  expect(await listed({ state: 'TX', min_rating: 4 })).toBe(REVIEW_COUNT / 3);
  expect(await listed({ state: 'TX', ordering: 'created_at' })).toBe(REVIEW_COUNT / 3);
  expect(await listed({ state: 'TX', ordering: '-helpful' })).toBe(REVIEW_COUNT);
  expect(await listed({ state: 'TX', ordering: 'overall_rating' })).toBe(REVIEW_COUNT);
});
