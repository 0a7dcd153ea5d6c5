import fc from 'fast-check';
import { sql } from 'kysely';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { ESTABLISHED_PRIOR, ESTABLISHED_WEIGHT } from '#contract/limits.ts';
import { reviewRow } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { EMPLOYERS } from './directory-query.ts';

const test = testWith()
  .extend('employerWith', ({ site }) => employerIn(site))
  .extend('idsOf', ({ site }) => async (query: object) => {
    const { body } = await site.visitor().get(employerEndpoints.list, { query });
    return body.results.map(({ id }) => id);
  });

/** An employer in `state` with one review for each of these overall ratings. */
const employerIn = (site: Site) => async (ratings: readonly number[], state: string) => {
  const employer_id = await site.employer({ state });
  const reviews = ratings.map((overall_rating) => reviewRow(employer_id, { overall_rating }));
  if (reviews.length > 0) await site.deps.db.insertInto('reviews').values(reviews).execute();
  site.deps.cache.changed(['employers', 'reviews']);
  return employer_id;
};

/** `count` ratings with this average. */
const averaging = (average: number, count: number): number[] => {
  const low = Math.floor(average);
  const high = Math.round((average - low) * count);
  return Array.from({ length: count }, (_, at) => (at < high ? low + 1 : low));
};

test('one review with 5 stars leads the highest rated, not the best established', async ({
  employerWith,
  idsOf,
}) => {
  const single = await employerWith([5], 'TX');
  const established = await employerWith(averaging(4.6, 40), 'TX');
  const singleToo = await employerWith([5], 'TX');
  const pair = await employerWith([5, 5], 'TX');
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
  const one = await employerWith([3], 'NV');
  const three = await employerWith([3, 3, 3], 'NV');
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
        const id = await employerWith(own, 'VT');
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
}, 60_000);

test('a page comes from the index, without a sort', async ({ site }) => {
  const { db } = site.deps;
  await sql`
    insert into employers (source, source_id, name, employer_type)
    select 'demo', 'bulk ' || n, 'Hospital ' || n, 'hospital'
    from generate_series(1, 5000) as n`.execute(db);
  await sql`analyze employers, employer_ratings`.execute(db);
  const order = EMPLOYERS.orders['-established'];
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (costs off) select id from employers ${order?.join} where ${EMPLOYERS.isListed}
    order by ${order?.by} limit 20`.execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using employer_ratings_by_established');
  expect(plan).not.toContain('Sort');
});
