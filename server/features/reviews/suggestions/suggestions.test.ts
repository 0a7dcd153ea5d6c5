import { describe, expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints, suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import type { Suggestions } from '#contract/reviews/suggestions.ts';
import { invalid, type Site, testWith } from '#server/testing/site.ts';

const test = testWith();
test.beforeAll(async ({ site }) => {
  const larn = { city: 'Larn', state: 'OH' };
  const single = await site.employer({ name: 'MERCY HOSPITAL EAST', ...larn });
  const many = await site.employer({ name: 'MERCY HOSPITAL WEST', ...larn });
  const named = await site.employer({ name: 'MERCY HOSPITAL', ...larn });
  await site.employer({ name: 'THORNQUIST CLINIC', city: 'Dole', state: 'VT' });
  await site.review({ at: single, overall_rating: 5 });
  await site.review({ at: named, overall_rating: 1 });
  const cardiologist = { at: many, position_title: 'Cardiologist', pros: 'Generous parking.' };
  for (let at = 0; at < 6; at += 1) {
    const review_text = `The echo lab is well staffed, and night call is one in ${at + 5}.`;
    await site.review({ ...cardiologist, overall_rating: at === 0 ? 4 : 5, review_text });
  }
});

const { list } = suggestionEndpoints;
const suggest = async (site: Site, search: string): Promise<Suggestions> =>
  (await site.visitor().get(list, { query: { search } })).body;
const namesOf = ({ employers }: Suggestions) => employers.map(({ name }) => name);

describe('employers', () => {
  test('have the facts of a suggestion, and nothing else', async ({ site }) => {
    const [west] = (await suggest(site, 'hospital west')).employers;
    expect(west).toEqual({
      id: expect.any(Number),
      name: 'MERCY HOSPITAL WEST',
      city: 'Larn',
      state: 'OH',
      overall_rating: 4.8333,
      total_reviews: 6,
    });
  });

  test('the best established comes first, not the one with a single 5.0', async ({ site }) => {
    const names = ['MERCY HOSPITAL WEST', 'MERCY HOSPITAL EAST', 'MERCY HOSPITAL'];
    expect(namesOf(await suggest(site, 'mercy'))).toEqual(names);
    expect(namesOf(await suggest(site, 'larn'))[0]).toBe('MERCY HOSPITAL WEST');
  });

  test('but one with exactly this name comes before all others', async ({ site }) => {
    expect(namesOf(await suggest(site, 'mercy hospital'))[0]).toBe('MERCY HOSPITAL');
    expect(namesOf(await suggest(site, ' Mercy-Hospital '))[0]).toBe('MERCY HOSPITAL');
  });
});

test('a place is named with its state; namesakes follow by beds', async ({ site }) => {
  const named = 'Quillhaven';
  await site.employer({
    name: 'AREA CLINIC',
    city: named.toUpperCase(),
    state: 'MS',
    bed_count: 9,
  });
  await site.employer({ name: 'TOWN CLINIC', city: named, state: 'TX', bed_count: 90 });
  const [texas, mississippi] = [
    { city: named, state: 'TX' },
    { city: named.toUpperCase(), state: 'MS' },
  ];
  for (const search of ['quillhaven', 'hospital quillhaven', 'Quillhaven hospitals']) {
    expect((await suggest(site, search)).places).toEqual([texas, mississippi]);
  }
  expect((await suggest(site, 'quillhaven ms')).places).toEqual([mississippi]);
  for (const search of ['town clinic quillhaven', 'area', 'qqqqzzzz']) {
    expect((await suggest(site, search)).places).toEqual([]);
  }
});

test('a specialty is found by aliases, a position by words, with reviews', async ({ site }) => {
  const { specialties, position_titles } = await suggest(site, 'cardiol');
  expect(specialties).toEqual([{ specialty: 'Cardiovascular Disease', count: 6 }]);
  expect(position_titles).toEqual([{ title: 'Cardiologist', count: 6 }]);
  // Curated, but without reviews.
  expect((await suggest(site, 'dermatologist')).position_titles).toEqual([]);
  expect((await suggest(site, 'dermatology')).specialties).toEqual([]);
});

test('specialties matched by name come before those matched by alias', async ({ site }) => {
  await site.review({ specialty: 'Anesthesiology' });
  const { specialties } = await suggest(site, 'card');
  const names = specialties.map(({ specialty }) => specialty);
  expect(names).toEqual(['Cardiovascular Disease', 'Anesthesiology']);
});

test('no specialty is suggested for a text without words', async ({ site }) => {
  await site.review({ specialty: 'Addiction Medicine' });
  expect((await suggest(site, 'addiction')).specialties).toHaveLength(1);
  for (const text of ['%%', '😀😀', 'of the'])
    expect((await suggest(site, text)).specialties).toEqual([]);
});

test('a position is found by the start of words, not by letters inside', async ({ site }) => {
  const titles = async (search: string) => (await suggest(site, search)).position_titles;
  const found = [{ title: 'Cardiologist', count: 6 }];
  expect(await titles('cardiologist')).toEqual(found);
  expect(await titles('card')).toEqual(found);
  // "cardiologist" has "st" and "c". An employer matches, so similar titles are not suggested.
  await site.employer({ name: 'ST CLARE HOSPITAL' });
  expect(await titles('st c')).toEqual([]);
  expect(await titles('(card.*')).toEqual(found);
});

test('reviews are the newest that match, with the words around the match', async ({ site }) => {
  const { employers, reviews, is_closest } = await suggest(site, 'night call');
  expect({ employers, is_closest }).toEqual({ employers: [], is_closest: false });
  const query = { search: 'night call', ordering: '-created_at', page_size: 3 };
  const newest = (await site.visitor().get(reviewEndpoints.list, { query })).body.results;
  expect(reviews.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
  expect(reviews[0]?.excerpt).toMatch(/^… lab is well staffed, and night call is one in \d+\.$/);
  expect(reviews[0]).toMatchObject({
    employer_name: 'MERCY HOSPITAL WEST',
    position_title: 'Cardiologist',
    // Reviews of the same minute are in the order of their random ids.
    overall_rating: newest[0]?.overall_rating,
  });
  expect((await suggest(site, 'parking')).reviews[0]?.excerpt).toBe('Generous parking.');
});

describe('nothing matches exactly', () => {
  test.for([
    ['thornqist', 'THORNQUIST CLINIC'],
    ['hospitl west', 'MERCY HOSPITAL WEST'],
  ] as const)('"%s" suggests the closest, and says so', async ([search, name], { site }) => {
    const found = await suggest(site, search);
    expect(found.is_closest).toBe(true);
    expect(namesOf(found)).toContain(name);
  });

  test('similar ones are omitted if anything matches', async ({ site }) => {
    // An employer's name is similar, and reviews contain the word.
    const found = await suggest(site, 'generous');
    expect(found).toMatchObject({ is_closest: false, employers: [] });
    expect(found.reviews).not.toEqual([]);
  });

  test.for(['qqqqzzzz', '!!', '%%', '\\\\'])('"%s" finds nothing', async (search, { site }) => {
    const nothing = {
      places: [],
      employers: [],
      specialties: [],
      position_titles: [],
      reviews: [],
    };
    expect(await suggest(site, search)).toEqual({ is_closest: false, ...nothing });
  });

  test('the lists of employers and of reviews also say so', async ({ site }) => {
    for (const { path } of [employerEndpoints.list, reviewEndpoints.list]) {
      const find = async (search: string) =>
        (await site.app.inject(`/api${path}?search=${search}`)).json();
      expect(await find('mrecy')).toMatchObject({ is_closest: true });
      for (const search of ['mercy', 'qqqqzzzz', '']) {
        expect(await find(search)).not.toHaveProperty('is_closest');
      }
    }
  });
});

test.for([
  [{}, 'Please enter a search'],
  [{ search: ' a ' }, 'Search must be at least 2 characters'],
  [{ search: 'x'.repeat(SEARCH_MAX + 1) }, `Search must be at most ${SEARCH_MAX} characters`],
] as const)('refuses %j', async ([query, message], { site }) => {
  const { problem } = await site.visitor().get(list, invalid({ query }));
  expect(problem).toMatchObject({ status: 400 });
  expect(problem.errors).toEqual({ search: [message] });
});

test('rejects unknown parameters, two searches, and other methods', async ({ site: { app } }) => {
  for (const query of ['search=mercy&page=2', 'search=ab&search=cd']) {
    expect((await app.inject(`/api/suggestions/?${query}`)).statusCode).toBe(400);
  }
  const post = await app.inject({ method: 'POST', url: '/api/suggestions/', payload: {} });
  expect(post.statusCode).toBe(405);
});
