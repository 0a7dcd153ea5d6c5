import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_ORDERING_KEYS, type ReviewOrdering } from '#contract/review-choices.ts';
import { reviewRow } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';

interface Row {
  id: string;
  created_at: Date;
  overall_rating: number;
  helpful_count: number;
  review_text: string;
}

const PAGE_SIZE = 13;

/** Enough reviews for a search that is too broad for the index. The tests read all its pages. */
const test = testWith().extend('all', { scope: 'file' }, async ({ site }): Promise<Row[]> => {
  const employer = await site.employer({ name: 'Cedar Valley Hospital' });
  const rows = Array.from({ length: 200 }, (_, at) =>
    reviewRow(employer, {
      created_at: new Date(Date.UTC(2024, 0, 1, 0, Math.floor(at / 3))),
      // No review has two stars.
      overall_rating: [1, 3, 4, 5, 5][at % 5] ?? 1,
      review_text: at % 9 === 0 ? 'Endless paperwork.' : 'A calm place.',
      // Without opposite votes, more votes mean a higher score.
      helpful_count: Math.max(0, (at % 13) - 6),
    }),
  );
  return site.deps.db
    .insertInto('reviews')
    .values(rows)
    .returning(['id', 'created_at', 'overall_rating', 'helpful_count', 'review_text'])
    .execute();
});

const newest = (a: Row, b: Row) =>
  b.created_at.getTime() - a.created_at.getTime() || a.id.localeCompare(b.id);
const ORDERS: Record<ReviewOrdering, (a: Row, b: Row) => number> = {
  '-created_at': newest,
  created_at: (a, b) => -newest(a, b),
  '-overall_rating': (a, b) => b.overall_rating - a.overall_rating || newest(a, b),
  overall_rating: (a, b) => a.overall_rating - b.overall_rating || newest(a, b),
  '-helpful': (a, b) => b.helpful_count - a.helpful_count || newest(a, b),
};

const FILTERS: Record<string, (row: Row) => boolean> = {
  '': () => true,
  'min_rating=3': ({ overall_rating }) => overall_rating >= 3,
  'min_rating=5': ({ overall_rating }) => overall_rating === 5,
  'max_rating=2': ({ overall_rating }) => overall_rating <= 2,
  'search=calm': ({ review_text }) => review_text.includes('calm'),
  'search=calm&min_rating=2': ({ review_text, overall_rating }) =>
    review_text.includes('calm') && overall_rating >= 2,
  'search=calm&min_rating=2&max_rating=3': ({ review_text, overall_rating }) =>
    review_text.includes('calm') && overall_rating >= 2 && overall_rating <= 3,
  'search=paperwork': ({ review_text }) => review_text.includes('paperwork'),
};
const CASES = Object.keys(FILTERS).flatMap((filter) =>
  REVIEW_ORDERING_KEYS.map((ordering) => [filter, ordering] as const),
);

async function page(site: Site, filter: string, ordering: ReviewOrdering, number: number) {
  const filters = Object.fromEntries(new URLSearchParams(filter));
  const query = { ...filters, ordering, page: number, page_size: PAGE_SIZE };
  const { count, results } = (await site.visitor().get(reviewEndpoints.list, { query })).body;
  return { count, ids: results.map(({ id }) => id) };
}

const expectedIds = (rows: Row[], filter: string, ordering: ReviewOrdering) =>
  rows
    .filter((row) => FILTERS[filter]?.(row))
    .toSorted(ORDERS[ordering])
    .map(({ id }) => id);

test.for(CASES)(
  'pages of "%s" in order %s never overlap',
  async ([filter, ordering], { site, all }) => {
    const expected = expectedIds(all, filter, ordering);
    const pages = Math.ceil(expected.length / PAGE_SIZE);
    const read: string[] = [];
    for (let number = 1; number <= pages + 1; number += 1) {
      read.push(...(await page(site, filter, ordering, number)).ids);
    }
    expect(read).toEqual(expected);
    // Jumps to a page, and reads on.
    for (let number = 2; number < pages; number += 3) {
      site.deps.cache.changed(['reviews']);
      const here = await page(site, filter, ordering, number);
      const next = await page(site, filter, ordering, number + 1);
      const from = (number - 1) * PAGE_SIZE;
      expect([...here.ids, ...next.ids]).toEqual(expected.slice(from, from + 2 * PAGE_SIZE));
    }
  },
);

test('a vote and a review change the pages in the next response', async ({ site, all }) => {
  const { db, cache } = site.deps;
  const holds = async () => {
    for (const [filter, ordering] of CASES) {
      const expected = expectedIds(all, filter, ordering);
      for (const number of [1, 2, 5]) {
        const { count, ids } = await page(site, filter, ordering, number);
        const here = expected.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
        const shown = [filter, ordering, number, expected.length, here];
        expect([filter, ordering, number, count, ids]).toEqual(shown);
      }
    }
  };
  const chosen = all.find(({ review_text, overall_rating, helpful_count }) =>
    [review_text.includes('calm'), overall_rating === 5, helpful_count === 0].every(Boolean),
  );
  if (!chosen) throw new Error('no review to vote for');
  const change = (values: Partial<Row>) => {
    Object.assign(chosen, values);
    return db.updateTable('reviews').set(values).where('id', '=', chosen.id).execute();
  };
  await holds();

  await change({ helpful_count: 99 });
  cache.changed(['votes']);
  await holds();

  await change({ overall_rating: 1 });
  cache.changed(['reviews']);
  await holds();

  await db.deleteFrom('reviews').where('id', '=', chosen.id).execute();
  all.splice(all.indexOf(chosen), 1);
  cache.changed(['reviews']);
  await holds();
});
