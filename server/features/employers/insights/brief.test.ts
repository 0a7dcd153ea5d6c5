import { CONCERN_KEYS } from '#contract/concerns.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewRequest } from '#contract/reviews/reviews.ts';
import { emptyStates } from '#server/features/employers/testing/empty-states.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, expect, type Site, test as siteTest } from '#server/testing/site.ts';

/** An employer, with its reviews and figures. */
async function placeIn(site: Site, fields: object = {}) {
  const id = await site.employer(fields);
  return {
    id,
    brief: async () => (await site.visitor().get(employerEndpoints.insights, at(id))).body,
    async write(review: Partial<ReviewRequest> = {}) {
      const by = await site.doctor();
      const { params } = at((await site.review({ by, at: id, ...review })).id);
      return {
        params,
        edit(change: Partial<ReviewRequest>) {
          const edited = reviewOf(id, { ...review, ...change });
          return site.as(by).patch(reviewEndpoints.edit, edited, { params });
        },
        drop: () => site.as(by).delete(reviewEndpoints.delete, { params }),
      };
    },
  };
}

/** What is stored about employers, the same recomputed, and how many reviews mention each concern. */
async function countsOf({ deps }: Site, ...ids: number[]) {
  const { pool } = deps.database;
  const read = async () => {
    const of = (table: string) =>
      pool.query(`select * from ${table} where employer_id = any($1) order by 1, 2, 3`, [ids]);
    return [(await of('employer_ratings')).rows, (await of('employer_specialties')).rows];
  };
  const kept = await read();
  await pool.query('select employer_ratings_recompute(array(select id from employers))');
  const concerns = await pool.query(
    'select * from employer_concerns where employer_id = any($1) order by 1, 2',
    [ids],
  );
  return { kept, recomputed: await read(), concerns: concerns.rows };
}

const test = siteTest
  .extend('employer', ({ site }) => placeIn(site))
  .extend('other', ({ site }) => placeIn(site));

const CALL = { review_text: 'The call burden is shared fairly.' };

test('the trend, and averages by employment, need three reviews', async ({ site, employer }) => {
  site.time.now = new Date('2024-12-31T23:59:00Z');
  const FORMER = { is_current_employee: false, start_year: 2020, end_year: 2023 };
  for (const overall_rating of [1, 2, 2]) await employer.write({ ...FORMER, overall_rating });
  site.time.now = new Date('2025-01-01T00:00:00Z');
  for (const overall_rating of [4, 5]) await employer.write({ overall_rating });
  expect(await employer.brief()).toMatchObject({
    by_year: [
      { year: 2024, total_reviews: 3, overall_rating: 1.6667 },
      { year: 2025, total_reviews: 2, overall_rating: null },
    ],
    by_employment: {
      former: { total_reviews: 3, overall_rating: 1.6667 },
      current: { total_reviews: 2, overall_rating: null },
    },
  });
});

test('a concern appears with its third review, and goes with an edit', async ({ employer }) => {
  await employer.write({ ...CALL, pros: 'On-call pay. On-call pay again.' });
  await employer.write({ cons: 'Short-staffed: too many calls.' });
  expect((await employer.brief()).concerns).toEqual([]);
  const last = await employer.write(CALL);
  expect((await employer.brief()).concerns).toEqual([
    { concern: 'call', count: 3, pros: 1, cons: 1, summary: 2 },
  ]);
  expect((await last.edit({ review_text: 'Nothing to report.' })).status).toBe(200);
  expect((await employer.brief()).concerns).toEqual([]);
});

test('filters the reviews by the part that mentions a concern', async ({ employer, site }) => {
  const texts = [
    CALL,
    { ...CALL, cons: 'Call every third night.' },
    { pros: 'Light call.', cons: 'Calls at dawn.' },
  ];
  for (const text of texts) await employer.write(text);
  const [concern] = (await employer.brief()).concerns;
  expect(concern).toEqual({ concern: 'call', count: 3, pros: 1, cons: 2, summary: 2 });
  for (const [filter, found] of [
    ['call', 3],
    ['pros-call', 1],
    ['cons-call', 2],
    ['summary-call', 2],
    ['pros-pay', 0],
  ] as const) {
    const query = { concern: filter };
    const list = await site.visitor().get(employerEndpoints.reviews, { ...at(employer.id), query });
    expect([filter, list.body.count, list.body.results.length]).toEqual([filter, found, found]);
  }
});

test('a search names its concerns, and how many reviews have each', async ({ employer, site }) => {
  await employer.write({ review_text: 'H-1B sponsorship took a year.' });
  await employer.write({ review_text: 'A green card, and kind nurses.' });
  await employer.write({ review_text: 'A calm place.' });
  const list = async (query: object) =>
    (await site.visitor().get(employerEndpoints.reviews, { ...at(employer.id), query })).body;
  expect(await list({ search: 'immigration' })).toMatchObject({
    count: 0,
    concerns: [{ concern: 'visa', count: 2 }],
  });
  const both = await list({ search: 'nursing visas', min_rating: 5 });
  expect(both.concerns).toEqual([
    { concern: 'visa', count: 2 },
    { concern: 'nursing', count: 1 },
  ]);
  for (const query of [{ search: 'staffing' }, { search: 'calm' }, { concern: 'visa' }, {}]) {
    expect(await list(query)).not.toHaveProperty('concerns');
  }
});

test("a list filtered by a concern has the concern's words", async ({ employer, site }) => {
  const list = async (query: object) =>
    (await site.visitor().get(employerEndpoints.reviews, { ...at(employer.id), query })).body;
  const words = ['visa', 'visas', 'h1b', 'h 1b', 'j1', 'j 1', 'immigration', 'green card'];
  expect((await list({ concern: 'visa' })).concern_words).toEqual(words);
  expect((await list({ concern: 'cons-visa' })).concern_words).toEqual(words);
  expect(await list({ search: 'visa' })).not.toHaveProperty('concern_words');
});

test('the index has room for a review of every concern', async ({ site }) => {
  const { rows } = await site.deps.database.pool.query(
    `select pg_column_size(terms) as bytes, cardinality(terms) as number
      from concerns_by_part($1, $1, $1) as terms`,
    [CONCERN_KEYS.join(' ')],
  );
  expect(rows[0].number).toBe(4 * CONCERN_KEYS.length);
  // A row of a B-tree has at most 2,704 bytes. The title and its key take up to 800.
  expect(rows[0].bytes).toBeLessThan(1800);
});

test('counts deleted, removed, restored, and merged reviews', async ({ site, employer, other }) => {
  const admin = site.as(await site.admin());
  const write = () => employer.write(CALL);
  const [first, second, ...rest] = [await write(), await write(), await write(), await write()];
  await other.write({ review_text: 'Boarding and call, year in, year out.' });
  const count = async () => (await employer.brief()).concerns[0]?.count;
  expect(await count()).toBe(4);
  await first.drop();
  expect(await count()).toBe(3);
  await admin.post(moderationEndpoints.remove, { reason: 'a test' }, second);
  expect(await employer.brief()).toMatchObject({
    concerns: [],
    by_employment: { current: { total_reviews: 2, overall_rating: null } },
  });
  await admin.post(moderationEndpoints.restore, {}, second);
  expect(await count()).toBe(3);
  const merged = await admin.post(employerEndpoints.merge, { into: employer.id }, at(other.id));
  expect(merged.status).toBe(200);
  expect(await count()).toBe(4);
  const { kept, recomputed, concerns } = await countsOf(site, employer.id, other.id);
  expect(kept).toEqual(recomputed);
  expect(concerns).toEqual([
    { employer_id: employer.id, concern: 'boarding', total: 1 },
    { employer_id: employer.id, concern: 'call', total: 4 },
    { employer_id: employer.id, concern: 'summary-boarding', total: 1 },
    { employer_id: employer.id, concern: 'summary-call', total: 4 },
  ]);
  for (const { drop } of [second, ...rest]) expect((await drop()).status).toBe(204);
  expect((await employer.brief()).total_reviews).toBe(1);
});

test('simultaneous posts, edits, and deletions all count', async ({ site, employer }) => {
  const first = await Promise.all(Array.from({ length: 8 }, () => employer.write(CALL)));
  await Promise.all([
    ...first.slice(0, 2).map((review) => review.edit({ review_text: 'Staffing is thin.' })),
    ...first.slice(2, 4).map((review) => review.drop()),
    ...Array.from({ length: 4 }, () => employer.write(CALL)),
  ]);
  expect(await employer.brief()).toMatchObject({
    total_reviews: 10,
    concerns: [{ concern: 'call', count: 8, pros: 0, cons: 0, summary: 8 }],
    by_employment: { current: { total_reviews: 10 } },
  });
  const { kept, recomputed } = await countsOf(site, employer.id);
  expect(kept).toEqual(recomputed);
});

test('filters and searches the reviews of one employer', async ({ site, employer, other }) => {
  await employer.write({ ...CALL, position_title: 'Neurologist', overall_rating: 2 });
  await employer.write({ ...CALL, cons: 'Parking is far.', overall_rating: 3 });
  await employer.write({ review_text: 'Parking only.', overall_rating: 4 });
  await other.write({ ...CALL, cons: 'Parking is far.', overall_rating: 5 });
  const ratings = async (criteria: object) => {
    const query = { ordering: 'overall_rating', ...criteria };
    const of = { ...at(employer.id), query };
    const { body } = await site.visitor().get(employerEndpoints.reviews, of);
    expect(body.count).toBe(body.results.length);
    return body.results.map(({ overall_rating }) => overall_rating);
  };
  expect(await ratings({ concern: 'call' })).toEqual([2, 3]);
  expect(await ratings({ concern: 'call', position_title: 'neurologist' })).toEqual([2]);
  expect(await ratings({ search: 'parking' })).toEqual([3, 4]);
  expect(await ratings({ search: 'parkng', concern: 'call' })).toEqual([3]);
  expect(await ratings({ search: 'parking', concern: 'visa' })).toEqual([]);
  expect(await ratings({ search: 'parking', page_size: 10 })).toEqual([3, 4]);
});

const WRONG = ['concern=food', 'concern=', 'search=%00', `search=${'x'.repeat(201)}`, 'state=TX'];
test.for(WRONG)('rejects reviews/?%s', async (text, { site, employer }) => {
  const answer = await site.app.inject(`/api/employers/${employer.id}/reviews/?${text}`);
  expect(answer.json()).toMatchObject({ status: 400, code: 'validation_error' });
});

test('programs of the same institution are similar, and come first', async ({ site }) => {
  const [state] = await emptyStates(site);
  const program = (name: string, specialty: string, city = 'Columbus') => {
    const employer_type = name.toLowerCase().split(' ').at(-1) ?? '';
    return placeIn(site, { name, specialty, city, state, employer_type });
  };
  const [medicine, cardiology] = ['Internal Medicine', 'Cardiovascular Disease'];
  const other = await program(`Vantry ${medicine} Residency`, medicine);
  const self = await program('LARKMOOR UNIVERSITY INTERNAL MEDICINE RESIDENCY', medicine);
  const name = `Larkmoor University ${cardiology} Fellowship`;
  const farther = await program(name, cardiology, 'Dayton');
  const { similar } = await self.brief();
  expect(similar.map(({ id }) => id)).toEqual([farther.id, other.id]);
});

test('similar employers have the same type and state, the same city first', async ({ site }) => {
  const [state, otherState, emptyState] = await emptyStates(site);
  const near = (fields: object) => placeIn(site, { city: 'Peoria', state, ...fields });
  const self = await near({});
  const [worse, better] = [await near({}), await near({})];
  const farther = await near({ city: 'Joliet' });
  await near({ hospital_status: 'Closed' });
  await near({ employer_type: 'clinic' });
  await near({ state: otherState });
  for (const overall_rating of [1, 1]) await worse.write({ overall_rating });
  for (const place of [better, better, farther, farther, farther]) {
    await place.write({ overall_rating: 5 });
  }
  const { similar } = await self.brief();
  expect(similar.map(({ id }) => id)).toEqual([better.id, worse.id, farther.id]);
  expect(similar[0]).toMatchObject({ city: 'Peoria', total_reviews: 2, overall_rating: 5 });
  for (const elsewhere of [{ state: emptyState }, { city: null, state: null }]) {
    const { brief } = await near(elsewhere);
    expect((await brief()).similar).toEqual([]);
  }
});
