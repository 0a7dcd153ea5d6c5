import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Employer } from '#contract/employers.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import type { Page } from '#contract/paging.ts';
import type { Problem } from '#contract/problem.ts';
import type { Review } from '#contract/reviews.ts';
import { Suggestions } from '#contract/suggestions.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
  const larn = { city: 'Larn', state: 'OH' };
  const single = await newEmployer(server, { name: 'MERCY HOSPITAL EAST', ...larn });
  const many = await newEmployer(server, { name: 'MERCY HOSPITAL WEST', ...larn });
  const named = await newEmployer(server, { name: 'MERCY HOSPITAL', ...larn });
  await newEmployer(server, { name: 'THORNQUIST CLINIC', city: 'Dole', state: 'VT' });
  await post(single, { overall_rating: 5 });
  await post(named, { overall_rating: 1 });
  for (let at = 0; at < 6; at += 1) {
    await post(many, {
      overall_rating: at === 0 ? 4 : 5,
      position_title: 'Cardiologist',
      review_text: `The echo lab is well staffed, and night call is one in ${at + 5}.`,
      pros: 'Generous parking.',
    });
  }
});
afterAll(() => server[Symbol.asyncDispose]());

async function post(employer: number, fields: object): Promise<void> {
  const { headers } = await signedInDoctor(server);
  const payload = reviewOf(employer, fields);
  const { app } = server;
  const answer = await app.inject({ method: 'POST', url: '/api/reviews/', headers, payload });
  expect(answer.statusCode, answer.body).toBe(201);
}

const ask = (query: Record<string, string>) =>
  server.app.inject(`/api/suggestions/?${new URLSearchParams(query)}`);
async function suggest(search: string): Promise<Suggestions> {
  const answer = await ask({ search });
  expect(answer.statusCode, answer.body).toBe(200);
  return Suggestions.parse(answer.json());
}
const namesOf = ({ employers }: Suggestions) => employers.map(({ name }) => name);

describe('employers', () => {
  test('have the facts of a suggestion, and nothing else', async () => {
    const [west] = (await suggest('hospital west')).employers;
    expect(west).toEqual({
      id: expect.any(Number),
      name: 'MERCY HOSPITAL WEST',
      city: 'Larn',
      state: 'OH',
      overall_rating: 4.83,
      total_reviews: 6,
    });
  });

  test('the best established comes first, not the one with a single 5.0', async () => {
    expect(namesOf(await suggest('mercy'))).toEqual([
      'MERCY HOSPITAL WEST',
      'MERCY HOSPITAL EAST',
      'MERCY HOSPITAL',
    ]);
    expect(namesOf(await suggest('larn'))[0]).toBe('MERCY HOSPITAL WEST');
  });

  test('but one with exactly this name comes before all others', async () => {
    expect(namesOf(await suggest('mercy hospital'))[0]).toBe('MERCY HOSPITAL');
    expect(namesOf(await suggest(' Mercy-Hospital '))[0]).toBe('MERCY HOSPITAL');
  });
});

test('a specialty is found by its aliases, and a position by its words, with their reviews', async () => {
  const { specialties, position_titles } = await suggest('cardiol');
  expect(specialties).toEqual([{ specialty: 'Cardiovascular Disease', count: 6 }]);
  expect(position_titles).toEqual([{ title: 'Cardiologist', count: 6 }]);
  // Curated, but without reviews.
  expect((await suggest('dermatologist')).position_titles).toEqual([]);
  expect((await suggest('dermatology')).specialties).toEqual([]);
});

test('specialties matched by name come before those matched by alias', async () => {
  await post(await newEmployer(server), { specialty: 'Anesthesiology' });
  const { specialties } = await suggest('card');
  const names = specialties.map(({ specialty }) => specialty);
  expect(names).toEqual(['Cardiovascular Disease', 'Anesthesiology']);
});

test('no specialty is suggested for a text without words', async () => {
  await post(await newEmployer(server), { specialty: 'Addiction Medicine' });
  expect((await suggest('addiction')).specialties).toHaveLength(1);
  for (const text of ['%%', '😀😀', 'of the'])
    expect((await suggest(text)).specialties).toEqual([]);
});

test('a position is found by the start of its words, not by letters inside them', async () => {
  const titles = async (search: string) => (await suggest(search)).position_titles;
  const found = [{ title: 'Cardiologist', count: 6 }];
  expect(await titles('cardiologist')).toEqual(found);
  expect(await titles('card')).toEqual(found);
  // "cardiologist" has "st" and "c". An employer matches, so similar titles are not suggested.
  await newEmployer(server, { name: 'ST CLARE HOSPITAL' });
  expect(await titles('st c')).toEqual([]);
  expect(await titles('(card.*')).toEqual(found);
});

test('reviews are the newest that match, with the words around the match', async () => {
  const { employers, reviews, is_closest } = await suggest('night call');
  expect({ employers, is_closest }).toEqual({ employers: [], is_closest: false });
  const list = '/api/reviews/?search=night+call&ordering=-created_at&page_size=3';
  const newest = (await server.app.inject(list)).json<Page<Review>>().results;
  expect(reviews.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
  expect(reviews[0]?.excerpt).toMatch(/^… lab is well staffed, and night call is one in \d+\.$/);
  expect(reviews[0]).toMatchObject({
    employer_name: 'MERCY HOSPITAL WEST',
    position_title: 'Cardiologist',
    // Reviews of the same minute are in the order of their random ids.
    overall_rating: newest[0]?.overall_rating,
  });
  expect((await suggest('parking')).reviews[0]?.excerpt).toBe('Generous parking.');
});

describe('nothing matches exactly', () => {
  test.each([
    ['thornqist', 'THORNQUIST CLINIC'],
    ['hospitl west', 'MERCY HOSPITAL WEST'],
  ])('"%s": the closest are suggested, and the response says so', async (search, name) => {
    const found = await suggest(search);
    expect(found.is_closest).toBe(true);
    expect(namesOf(found)).toContain(name);
  });

  test('similar ones are omitted if anything matches', async () => {
    // An employer's name is similar, and reviews contain the word.
    const found = await suggest('generous');
    expect(found).toMatchObject({ is_closest: false, employers: [] });
    expect(found.reviews).not.toEqual([]);
  });

  test.each(['qqqqzzzz', '!!', '%%', '\\\\'])('"%s" finds nothing', async (search) => {
    expect(await suggest(search)).toEqual({
      is_closest: false,
      employers: [],
      specialties: [],
      position_titles: [],
      reviews: [],
    });
  });

  test.each(['/api/employers/', '/api/reviews/'])('%s also says so', async (path) => {
    const search = async (text: string) =>
      (await server.app.inject(`${path}?search=${text}`)).json<Page<Employer | Review>>();
    expect(await search('mercy')).not.toHaveProperty('is_closest');
    expect(await search('mrecy')).toMatchObject({ is_closest: true });
    expect(await search('qqqqzzzz')).not.toHaveProperty('is_closest');
    expect(await search('')).not.toHaveProperty('is_closest');
  });
});

test.each<[Record<string, string>, string, string]>([
  [{}, 'search', 'Please enter a search'],
  [{ search: ' a ' }, 'search', 'Search must be at least 2 characters'],
  [
    { search: 'x'.repeat(SEARCH_MAX + 1) },
    'search',
    `Search must be at most ${SEARCH_MAX} characters`,
  ],
])('refuses %j', async (query, field, message) => {
  const answer = await ask(query);
  expect(answer.statusCode).toBe(400);
  expect(answer.json<Problem>().errors).toEqual({ [field]: [message] });
});

test('rejects unknown parameters, a repeated search, and other methods', async () => {
  expect((await ask({ search: 'mercy', page: '2' })).statusCode).toBe(400);
  const { app } = server;
  expect((await app.inject('/api/suggestions/?search=ab&search=cd')).statusCode).toBe(400);
  const post = await app.inject({ method: 'POST', url: '/api/suggestions/', payload: {} });
  expect(post.statusCode).toBe(405);
});
