import { sql } from 'kysely';
import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import type { Db } from '#server/db/open.ts';
import type { ReviewCriteria } from '#server/features/reviews/list/list-query.ts';
import { insertReviews } from '#server/features/reviews/testing/many-reviews.ts';
import type { Search } from '#server/listing/list.ts';
import { conditionsOf, listPage } from '#server/listing/list-page.ts';
import { plansOf } from '#server/testing/plans.ts';
import { expect, testWith } from '#server/testing/site.ts';
import { REVIEWS } from './list-query.ts';

/**
 * All have 'quiet'. Three quarters, fewer than SEARCH_COUNT_MAX, have 'weekends'; ten elevenths, more
 * than it, have five stars.
 */
const REVIEW_COUNT = 12_000;
const INDEXES = {
  '-created_at': 'reviews_newest',
  created_at: 'reviews_newest',
  '-overall_rating': 'reviews_by_rating',
  overall_rating: 'reviews_by_rating',
  '-helpful': 'reviews_helpful',
};

const test = testWith();

/** Four years of reviews, with many scores. */
test.beforeAll(
  ({ site }) =>
    insertReviews(site, REVIEW_COUNT, {
      createdAt: sql`timestamptz '2021-01-31 23:30Z'
        + (n * 7919 % 35000 + n / 1500 * 800) * interval '1 hour'`,
      stars: sql`case n % 11 when 0 then 1 + n / 11 % 4 else 5 end`,
      text: sql`case n % 4 when 0 then 'quiet' else 'quiet weekends' end`,
      helpfulCount: sql`case n % 3 when 0 then 0 else n % 17 end`,
      notHelpfulCount: sql`n % 11`,
    }),
  120_000,
);

/** The page as a plain statement finds it. */
async function sortAll(db: Db, criteria: ReviewCriteria, search?: Search) {
  const { rows } = await sql<{ id: string }>`
    select id, count(*) over () from reviews
    where ${conditionsOf(REVIEWS, criteria, search)}
    order by ${REVIEWS.orders[criteria.ordering ?? REVIEWS.defaultOrder]?.by}
    offset ${(criteria.page - 1) * criteria.page_size}`.execute(db);
  return rows.slice(0, criteria.page_size).map(({ id }) => id);
}

test.for(REVIEW_ORDERING_KEYS)(
  'common and rare matches have the same pages as all of them sorted by %s',
  async (ordering, { site: { deps } }) => {
    const { db } = deps;
    for (const filters of [{}, { state: 'TX' }, { min_rating: 3, would_recommend: 'true' }]) {
      for (const text of [undefined, 'quiet', 'quiet weekends']) {
        for (const page of [1, 2, 20, 450, 600]) {
          const criteria = { ...filters, ordering, page, page_size: 20 } as ReviewCriteria;
          const search = text ? await REVIEWS.understand(db, text) : null;
          const found = await listPage<{ id: string }, ReviewCriteria, Search>(
            deps,
            REVIEWS,
            criteria,
            text,
          );
          const isBeyond = text && page * 20 > SEARCH_COUNT_MAX;
          const expected = isBeyond ? [] : await sortAll(db, criteria, search ?? undefined);
          expect([text, filters, page, found.rows.map(({ id }) => id)]).toEqual([
            text,
            filters,
            page,
            expected,
          ]);
        }
      }
    }
  },
);

test.for(REVIEW_ORDERING_KEYS)(
  'the index of the order %s finds a page of common matches, without sorting',
  async (ordering, { site: { deps } }) => {
    const criteria = { ordering, page: 1, page_size: 20 };
    for (const text of [undefined, 'quiet']) {
      const plans = await plansOf(deps.db, (db) =>
        listPage({ ...deps, db }, REVIEWS, criteria, text),
      );
      const page = plans.at(-2);
      expect(page).toMatch(new RegExp(`Scan (Backward )?using ${INDEXES[ordering]}\\b`));
      expect(page).not.toMatch(/Sort|Seq Scan|Bitmap/);
    }
  },
);

test('a search is counted up to its maximum, and a list to its end', async ({ site: { deps } }) => {
  const count = async (text?: string, filters = {}) =>
    (await listPage(deps, REVIEWS, { page: 1, page_size: 20, ...filters }, text)).count;
  expect(await count()).toBe(REVIEW_COUNT);
  expect(await count('quiet')).toBe(SEARCH_COUNT_MAX);
  expect(await count('quiet weekends')).toBe((REVIEW_COUNT * 3) / 4);
  expect(await count('quiet', { state: 'TX' })).toBe(REVIEW_COUNT / 3);
  const beyond = { page: 501, page_size: 20 };
  const { rows } = await listPage(deps, REVIEWS, beyond, 'quiet');
  expect(rows).toEqual([]);
});
