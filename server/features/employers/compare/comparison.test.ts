import { expect, test } from 'vitest';
import type { EmployerComparison } from '#contract/employer-comparison.ts';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

async function write(server: TestApp, employer: number, change: object = {}): Promise<string> {
  const { headers } = await signedInDoctor(server);
  const payload = reviewOf(employer, change);
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/reviews/',
    headers,
    payload,
  });
  expect(answer.statusCode).toBe(201);
  return answer.json().id;
}

async function vote(server: TestApp, review: string) {
  const { headers } = await signedInDoctor(server);
  const url = `/api/reviews/${review}/helpful/`;
  expect((await server.app.inject({ method: 'POST', url, headers })).statusCode).toBe(200);
}

async function compare(server: TestApp, ids: readonly number[], query = '') {
  const answer = await server.app.inject(`/api/employers/compare/?ids=${ids}${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<EmployerComparison>();
}

test('compares employers in the requested order, and reports unknown ids', async () => {
  await using server = await buildTestApp();
  const [a, b] = [await newEmployer(server), await newEmployer(server)];
  await write(server, b, { overall_rating: 5, would_recommend: true });
  const { results, unknown_ids } = await compare(server, [b, 999999, a, b]);
  expect(unknown_ids).toEqual([999999]);
  expect(results.map(({ employer }) => employer.id)).toEqual([b, a]);
  expect(results[0]?.figures).toMatchObject({
    overall_rating: { value: 5, reviews: 1 },
    would_recommend: { value: 1, reviews: 1 },
  });
  expect(results[0]?.newest_review_on).toBe(server.deps.clock().toISOString().slice(0, 10));
  expect(results[1]).toMatchObject({
    figures: { overall_rating: { value: null, reviews: 0 } },
    newest_review_on: null,
    pro: null,
    con: null,
  });
});

test('each figure has the number of reviews behind it', async () => {
  await using server = await buildTestApp();
  const [a, b] = [await newEmployer(server), await newEmployer(server)];
  await write(server, a, { immigration_support_rating: 4, would_recommend: false });
  await write(server, a, { would_recommend: true });
  const { results } = await compare(server, [a, b]);
  expect(results[0]?.figures).toMatchObject({
    work_life_balance_rating: { reviews: 2 },
    immigration_support_rating: { value: 4, reviews: 1 },
    would_recommend: { value: 0.5, reviews: 2 },
  });
});

test('compares the reviews of a specialty, and quotes only those', async () => {
  await using server = await buildTestApp();
  const [a, b] = [await newEmployer(server), await newEmployer(server)];
  for (const overall_rating of [2, 3, 4])
    await write(server, a, {
      specialty: 'Neurology',
      overall_rating,
      pros: '',
      cons: 'Late scans',
    });
  await write(server, a, { specialty: 'Dermatology', overall_rating: 5, pros: 'No call' });
  await write(server, b, { specialty: 'Neurology' });
  const { results, specialties } = await compare(server, [a, b], '&specialty=Neurology');
  expect(specialties).toEqual(['Dermatology', 'Neurology']);
  expect(results.map(({ figures }) => figures.overall_rating)).toEqual([
    { value: 3, reviews: REVIEWS_OF_SPECIALTY },
    { value: null, reviews: 1 },
  ]);
  expect(results[0]).toMatchObject({ pro: null, con: { excerpt: 'Late scans' } });
  const all = await compare(server, [a, b]);
  expect(all.results[0]).toMatchObject({ pro: { excerpt: 'No call' } });
});

test('quotes the most helpful review that names a pro or a con', async () => {
  await using server = await buildTestApp();
  const [a, b] = [await newEmployer(server), await newEmployer(server)];
  await write(server, a, { pros: 'Free parking', cons: 'Old wards' });
  const helpful = await write(server, a, { pros: 'Time to teach', cons: '' });
  await vote(server, helpful);
  const { results } = await compare(server, [a, b]);
  expect(results[0]?.pro).toEqual({ review_id: helpful, excerpt: 'Time to teach' });
  expect(results[0]?.con?.excerpt).toBe('Old wards');
  // A removed review is not quoted.
  await server.deps.db
    .updateTable('reviews')
    .set({ removed_reason: 'Off topic' })
    .where('id', '=', helpful)
    .execute();
  server.deps.cache.changed(['reviews']);
  const rest = await compare(server, [a, b]);
  expect(rest.results[0]?.pro?.excerpt).toBe('Free parking');
});

test.each([
  '',
  '?ids=',
  '?ids=1',
  '?ids=1,1',
  '?ids=1,2,3,4,5',
  '?ids=1,x',
  '?ids=1,99999999999',
  '?ids=0,1',
])('rejects compare/%s', async (query) => {
  await using server = await buildTestApp();
  const answer = await server.app.inject({ url: `/api/employers/compare/${query}` });
  expect(answer.statusCode).toBe(400);
  expect(Object.keys(answer.json().errors)).toEqual(['ids']);
});
