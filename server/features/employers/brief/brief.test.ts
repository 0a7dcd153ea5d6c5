import { expect, onTestFinished, test } from 'vitest';
import type { EmployerBrief } from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import type { Review, ReviewRequest } from '#contract/reviews.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';

async function site() {
  const server = await buildTestApp();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const get = async <T>(path: string) =>
    (await server.app.inject({ url: `/api/employers/${path}` })).json<T>();
  const brief = (employer: number) => get<EmployerBrief>(`${employer}/insights/`);
  const write = async (employer: number, fields: Partial<ReviewRequest> = {}) => {
    const { headers } = await signedInDoctor(server);
    const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
      server.app.inject({
        method,
        url: `/api/reviews/${path}`,
        headers,
        ...(payload && { payload }),
      });
    const answer = await send('POST', '', reviewOf(employer, fields));
    expect(answer.statusCode, answer.body).toBe(201);
    const { id } = answer.json<Review>();
    const { employer: _, is_custom_employer: __, ...form } = reviewOf(employer, fields);
    return {
      id,
      edit: (change: Partial<ReviewRequest>) => send('PATCH', `${id}/`, { ...form, ...change }),
      drop: () => send('DELETE', `${id}/`),
    };
  };
  /** The stored counts, and the totals of the reviews. */
  const counts = async () => {
    const { pool } = server.deps.database;
    const read = async () => {
      const years = await pool.query('select * from employer_years order by 1, 2, 3');
      const concerns = await pool.query('select * from employer_concerns order by 1, 2');
      return [years.rows, concerns.rows];
    };
    const kept = await read();
    await pool.query('select employer_ratings_recompute()');
    return { kept, recomputed: await read() };
  };
  return { server, get, brief, write, counts };
}

const CALL = { review_text: 'The call burden is shared fairly.' };

test('the trend and the averages of current and former employees need three reviews', async () => {
  const { server, brief, write } = await site();
  const employer = await newEmployer(server);
  server.time.now = new Date('2024-12-31T23:59:00Z');
  const FORMER = { is_current_employee: false, start_year: 2020, end_year: 2023 };
  for (const overall_rating of [1, 2, 2]) await write(employer, { ...FORMER, overall_rating });
  server.time.now = new Date('2025-01-01T00:00:00Z');
  for (const overall_rating of [4, 5]) await write(employer, { overall_rating });
  expect(await brief(employer)).toMatchObject({
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

test('a concern appears with its third review, and disappears with an edit', async () => {
  const { server, brief, write } = await site();
  const employer = await newEmployer(server);
  await write(employer, { ...CALL, pros: 'On-call pay. On-call pay again.' });
  await write(employer, { cons: 'Short-staffed: too many calls.' });
  expect((await brief(employer)).concerns).toEqual([]);
  const last = await write(employer, CALL);
  expect((await brief(employer)).concerns).toEqual([{ concern: 'call', count: 3 }]);
  expect((await last.edit({ review_text: 'Nothing to report.' })).statusCode).toBe(200);
  expect((await brief(employer)).concerns).toEqual([]);
});

test('deleted, removed, restored, and merged reviews are counted exactly', async () => {
  const { server, brief, write, counts } = await site();
  const [employer, other] = [await newEmployer(server), await newEmployer(server)];
  const { headers } = await signedInAdmin(server);
  const decide = (url: string, payload?: object) =>
    server.app.inject({
      method: 'POST',
      url: `/api/admin/${url}`,
      headers,
      payload: payload ?? {},
    });
  const reviews = [];
  while (reviews.length < 4) reviews.push(await write(employer, CALL));
  await write(other, { review_text: 'Boarding and call, year in, year out.' });
  const count = async () => (await brief(employer)).concerns[0]?.count;
  expect(await count()).toBe(4);
  await reviews[0]?.drop();
  expect(await count()).toBe(3);
  await decide(`reviews/${reviews[1]?.id}/remove/`, { reason: 'a test' });
  expect(await brief(employer)).toMatchObject({
    concerns: [],
    by_employment: { current: { total_reviews: 2, overall_rating: null } },
  });
  await decide(`reviews/${reviews[1]?.id}/restore/`);
  expect(await count()).toBe(3);
  expect((await decide(`employers/${other}/merge/`, { into: employer })).statusCode).toBe(200);
  expect(await count()).toBe(4);
  const { kept, recomputed } = await counts();
  expect(kept).toEqual(recomputed);
  expect(kept[1]).toEqual([
    { employer_id: employer, concern: 'boarding', total: 1 },
    { employer_id: employer, concern: 'call', total: 4 },
  ]);
  for (const review of reviews) await review.drop();
});

test('reviews posted, edited, and deleted at the same time are all counted', async () => {
  const { server, brief, write, counts } = await site();
  const employer = await newEmployer(server);
  const first = await Promise.all(Array.from({ length: 8 }, () => write(employer, CALL)));
  await Promise.all([
    ...first.slice(0, 2).map((review) => review.edit({ review_text: 'Staffing is thin.' })),
    ...first.slice(2, 4).map((review) => review.drop()),
    ...Array.from({ length: 4 }, () => write(employer, CALL)),
  ]);
  expect(await brief(employer)).toMatchObject({
    total_reviews: 10,
    concerns: [{ concern: 'call', count: 8 }],
    by_employment: { current: { total_reviews: 10 } },
  });
  const { kept, recomputed } = await counts();
  expect(kept).toEqual(recomputed);
});

test('filters and searches the reviews of one employer', async () => {
  const { server, get, write } = await site();
  const [employer, other] = [await newEmployer(server), await newEmployer(server)];
  await write(employer, { ...CALL, position_title: 'Neurologist', overall_rating: 2 });
  await write(employer, { ...CALL, cons: 'Parking is far.', overall_rating: 3 });
  await write(employer, { review_text: 'Parking only.', overall_rating: 4 });
  await write(other, { ...CALL, cons: 'Parking is far.', overall_rating: 5 });
  const ratings = async (query: string) => {
    const page = await get<Page<Review>>(`${employer}/reviews/?ordering=overall_rating&${query}`);
    expect(page.count).toBe(page.results.length);
    return page.results.map(({ overall_rating }) => overall_rating);
  };
  expect(await ratings('concern=call')).toEqual([2, 3]);
  expect(await ratings('concern=call&position_title=neurologist')).toEqual([2]);
  expect(await ratings('search=parking')).toEqual([3, 4]);
  expect(await ratings('search=parkng&concern=call')).toEqual([3]);
  expect(await ratings('search=parking&concern=visa')).toEqual([]);
  expect(await ratings('search=parking&page_size=10')).toEqual([3, 4]);
});

test.each(['concern=food', 'concern=', 'search=%00', `search=${'x'.repeat(201)}`, 'state=TX'])(
  'rejects reviews/?%s',
  async (query) => {
    const { server } = await site();
    const employer = await newEmployer(server);
    const answer = await server.app.inject({
      url: `/api/employers/${employer}/reviews/?${query}`,
    });
    expect(answer.json()).toMatchObject({ status: 400, code: 'validation_error' });
  },
);

test('programs of the same institution are similar, and come first', async () => {
  const { server, brief } = await site();
  const program = (name: string, specialty: string, city = 'Columbus') => {
    const employer_type = name.toLowerCase().split(' ').at(-1) ?? '';
    return newEmployer(server, { name, specialty, city, state: 'OH', employer_type });
  };
  const other = await program('Vantry Internal Medicine Residency', 'Internal Medicine');
  const self = await program(
    'LARKMOOR UNIVERSITY INTERNAL MEDICINE RESIDENCY',
    'Internal Medicine',
  );
  const farther = await program(
    'Larkmoor University Cardiovascular Disease Fellowship',
    'Cardiovascular Disease',
    'Dayton',
  );
  expect((await brief(self)).similar.map(({ id }) => id)).toEqual([farther, other]);
});

test('similar employers have the same type and state, with the same city first', async () => {
  const { server, brief, write } = await site();
  const near = (fields: object) => newEmployer(server, { city: 'Peoria', state: 'IL', ...fields });
  const self = await near({});
  const [worse, better] = [await near({}), await near({})];
  const farther = await near({ city: 'Joliet' });
  await near({ hospital_status: 'Closed' });
  await near({ employer_type: 'clinic' });
  await near({ state: 'WI' });
  for (const overall_rating of [1, 1]) await write(worse, { overall_rating });
  for (const overall_rating of [5, 5]) await write(better, { overall_rating });
  for (const overall_rating of [5, 5, 5]) await write(farther, { overall_rating });
  const { similar } = await brief(self);
  expect(similar.map(({ id }) => id)).toEqual([better, worse, farther]);
  expect(similar[0]).toMatchObject({ city: 'Peoria', total_reviews: 2, overall_rating: 5 });
  expect((await brief(await near({ state: 'AK' }))).similar).toEqual([]);
  expect((await brief(await newEmployer(server, { city: null, state: null }))).similar).toEqual([]);
});
