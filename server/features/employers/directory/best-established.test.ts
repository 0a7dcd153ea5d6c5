import fc from 'fast-check';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { ESTABLISHED_PRIOR, ESTABLISHED_WEIGHT } from '#contract/limits.ts';
import { CATEGORY_RATINGS } from '#contract/review-choices.ts';
import { listPage } from '#server/listing/list-page.ts';
import { reviewRow } from '#server/testing/factories.ts';
import { plansOf } from '#server/testing/plans.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { EMPLOYERS, type EmployerCriteria } from './directory-query.ts';

const test = testWith()
  .extend('employerWith', ({ site }) => employerIn(site))
  .extend('idsOf', ({ site }) => async (query: object) => {
    const { body } = await site.visitor().get(employerEndpoints.list, { query });
    return body.results.map(({ id }) => id);
  });

/** An employer in `state` with one review for each of these sets of ratings. */
const employerIn = (site: Site) => async (ratings: readonly object[], state: string) => {
  const employer_id = await site.employer({ state });
  const reviews = ratings.map((one) => reviewRow(employer_id, one));
  if (reviews.length > 0) await site.deps.db.insertInto('reviews').values(reviews).execute();
  site.deps.cache.changed(['employers', 'reviews']);
  return employer_id;
};

const overall = (...ratings: number[]) => ratings.map((overall_rating) => ({ overall_rating }));

/** `count` overall ratings with this average. */
const averaging = (average: number, count: number) => {
  const low = Math.floor(average);
  const high = Math.round((average - low) * count);
  return overall(...Array.from({ length: count }, (_, at) => (at < high ? low + 1 : low)));
};

test('one 5-star review leads by rating, not by establishment', async ({ employerWith, idsOf }) => {
  const single = await employerWith(overall(5), 'TX');
  const established = await employerWith(averaging(4.6, 40), 'TX');
  const singleToo = await employerWith(overall(5), 'TX');
  const pair = await employerWith(overall(5, 5), 'TX');
  const none = await employerWith([], 'TX');
  const poor = await employerWith(averaging(1.2, 20), 'TX');
  const ordered = (ordering: string) => idsOf({ state: 'TX', ordering });
  const byScore = [established, pair, single, singleToo, poor, none];
  // Of employers with the same rating or score, those with more reviews come first; without
  // reviews, last.
  const byRating = [pair, single, singleToo, established, poor, none];
  expect(await ordered('-overall_rating')).toEqual(byRating);
  expect(await ordered('-established')).toEqual(byScore);
  const search = 'hospital';
  expect(await idsOf({ search, state: 'TX', ordering: '-established' })).toEqual(byScore);
});

test('equal scores sort by number of reviews', async ({ employerWith, idsOf }) => {
  // (15 + 3) / 6 = (15 + 9) / 8
  const one = await employerWith(overall(3), 'NV');
  const three = await employerWith(overall(3, 3, 3), 'NV');
  expect(await idsOf({ state: 'NV', ordering: '-established' })).toEqual([three, one]);
});

test('the order matches plain code for any ratings', async ({ site, employerWith, idsOf }) => {
  const ratings = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(ratings, { minLength: 2, maxLength: 6 }), async (all) => {
      await site.deps.db.deleteFrom('reviews').execute();
      await site.deps.db.deleteFrom('employers').execute();
      const employers: { id: number; count: number; score: number }[] = [];
      for (const own of all) {
        const sum = own.reduce((total, one) => total + one, 0);
        const score =
          (ESTABLISHED_WEIGHT * ESTABLISHED_PRIOR + sum) / (ESTABLISHED_WEIGHT + own.length);
        const id = await employerWith(overall(...own), 'VT');
        employers.push({ id, count: own.length, score: own.length === 0 ? 0 : score });
      }
      const expected = employers
        .toSorted((a, b) => b.score - a.score || b.count - a.count || a.id - b.id)
        .map(({ id }) => id);
      const ordering = '-established';
      expect(await idsOf({ ordering })).toEqual(expected);
      const pages = await Promise.all(
        expected.map((_, at) => idsOf({ ordering, page_size: 1, page: at + 1 })),
      );
      expect(pages.flat()).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

const CATEGORY_ORDERS = Object.keys(CATEGORY_RATINGS).map((category) => `-avg_${category}`);

/** The tests of one order each have a state of their own. */
const STATES = ['ME', 'MI', 'MN', 'MO', 'MT'];

test.for(CATEGORY_ORDERS.map((ordering, at) => [ordering, STATES[at] ?? ''] as const))(
  'ordering=%s leads with the highest average',
  async ([ordering, state], { employerWith, idsOf }) => {
    const category = ordering.slice('-avg_'.length);
    const rated = (...stars: number[]) =>
      employerWith(
        stars.map((rating) => ({ overall_rating: 1, [category]: rating })),
        state,
      );
    const none = await rated();
    const low = await rated(4, 4);
    const high = await rated(5);
    const highToo = await rated(5, 5);
    const byRating = [highToo, high, low, none];
    expect(await idsOf({ state, ordering })).toEqual(byRating);
    expect(await idsOf({ state, ordering, search: 'hospital' })).toEqual(byRating);
  },
);

test('finds enough reviews, or support for immigrants', async ({ site, employerWith, idsOf }) => {
  const state = 'GU';
  const supported = (...stars: (number | null)[]) =>
    employerWith(
      stars.map((immigration_support_rating) => ({ immigration_support_rating })),
      state,
    );
  const single = await supported(5);
  const search = { state, ordering: '-total_reviews' };
  const countOf = async (query: object) =>
    (await site.visitor().get(employerEndpoints.list, { query })).body.count;
  expect(await countOf({ state, min_reviews: 2 })).toBe(0);
  const several = await supported(3, 4, null);
  await supported(null, null);
  // A new review changes the count of an earlier answer.
  expect(await countOf({ state, min_reviews: 2 })).toBe(2);
  expect(await idsOf({ ...search, min_reviews: 3 })).toEqual([several]);
  expect(await idsOf({ ...search, min_immigration_support_rating: 3 })).toEqual([several, single]);
  expect(await idsOf({ ...search, min_immigration_support_rating: 4 })).toEqual([single]);
  const both = { min_reviews: 2, min_immigration_support_rating: 4 };
  expect(await idsOf({ ...search, ...both })).toEqual([]);
});

test('with 20,000 employers, no order or filter by ratings reads them all', async ({ site }) => {
  const { db } = site.deps;
  // Without triggers, and without the time limit of a request's statements.
  await site.deps.database.background.pool.query(`
    set session_replication_role = replica;
    insert into employers (source, source_id, name, employer_type, state)
      select 'demo', 'many ' || n, 'Hospital ' || n, 'hospital', 'TX'
      from generate_series(1, 20000) as n;
    insert into employer_ratings select id,
      case when id % 10 = 0 then id % 40 else 0 end, null, null,
      average, average, average, average, average
      from employers, lateral (
        select case when id % 10 = 0 then 1 + id % 400 / 100.0 end as average
      ) as rated where source_id like 'many %';
    set session_replication_role = default;
    analyze employers, employer_ratings`);
  const page = { page: 1, page_size: 20 } as const;
  for (const ordering of ['-established', ...CATEGORY_ORDERS]) {
    const column = ordering.replace(/^-(avg_)?/, '').replace(/_rating$/, '');
    for (const filters of [{}, { min_reviews: 30 }, { min_immigration_support_rating: 4 }]) {
      const criteria = { ...page, ...filters, ordering } as EmployerCriteria;
      const plans = await plansOf(db, (on) =>
        listPage({ db: on, cache: site.deps.cache }, EMPLOYERS, criteria),
      );
      // The one before the rows of the page.
      const ids = plans.at(-2);
      expect(ids).not.toMatch(/Seq Scan on employers/);
      const isFiltered = Object.keys(filters).length > 0;
      const index = isFiltered ? 'employers_pkey' : `employer_ratings_by_${column}`;
      expect(ids).toContain(`using ${index}`);
    }
  }
});
