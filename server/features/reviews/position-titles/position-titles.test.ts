import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import { expect, type Site, test } from '#server/testing/site.ts';

const find = (site: Site, search: string, more: object = {}) =>
  site.visitor().get(positionTitleEndpoints.list, { query: { search, ...more } });
const titlesOf = ({ results }: { results: readonly { title: string }[] }) =>
  results.map(({ title }) => title);

test('lists all titles, by name and by page', async ({ site }) => {
  const { body: all } = await find(site, '', { page_size: 100 });
  const { body: rest } = await find(site, '', { page_size: 100, page: 2 });
  expect(all.count).toBe(all.results.length + rest.results.length);
  const first = ['Acute Care Surgeon', 'Addiction Medicine Physician', 'Addiction Psychiatrist'];
  // Tests may have added others.
  expect(titlesOf(all).filter((title) => first.includes(title))).toEqual(first);
  expect((await find(site, '', { page: 2 })).body.results[0]).toEqual(all.results[20]);
});

test.for([
  ['hospitalist', 'Hospitalist'],
  ['HOSPIT', 'Hospitalist'],
  ['surgeon ortho', 'Orthopedic Surgeon'],
  ['obgyn', 'OB/GYN'],
  ['er physician', 'Emergency Physician'],
  ['gi', 'Gastroenterologist'],
  ['peds', 'Pediatrician'],
  ['cardiolgist', 'Cardiologist'],
  ['anestesiologist', 'Anesthesiologist'],
] as const)('"%s" ranks %s first', async ([search, title], { site }) => {
  expect(titlesOf((await find(site, search)).body)[0]).toBe(title);
});

test.for(['zzzzqq', '%', '_', '\\', '///'])('%j matches no title', async (search, { site }) => {
  expect((await find(site, search)).body).toMatchObject({ count: 0, results: [] });
});

test('rejects an invalid page', async ({ site }) => {
  const { problem } = await find(site, '', { page_size: 500 });
  expect(problem).toMatchObject({ status: 400, errors: { page_size: expect.anything() } });
});
