import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from '#contract/paging.ts';
import type { PositionTitle } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

async function find(search: string, more = ''): Promise<Page<PositionTitle>> {
  const query = new URLSearchParams({ search });
  return (await server.app.inject({ url: `/api/position-titles/?${query}${more}` })).json();
}
const titles = ({ results }: Page<PositionTitle>) => results.map(({ title }) => title);

test('lists all titles, by name and by page', async () => {
  const all = await find('', '&page_size=100');
  const rest = await find('', '&page_size=100&page=2');
  expect(all.count).toBe(all.results.length + rest.results.length);
  expect(titles(all).slice(0, 3)).toEqual([
    'Acute Care Surgeon',
    'Addiction Medicine Physician',
    'Addiction Psychiatrist',
  ]);
  expect((await find('', '&page=2')).results[0]).toEqual(all.results[20]);
});

test.each([
  ['hospitalist', 'Hospitalist'],
  ['HOSPIT', 'Hospitalist'],
  ['surgeon ortho', 'Orthopedic Surgeon'],
  ['obgyn', 'OB/GYN'],
  ['er physician', 'Emergency Physician'],
  ['gi', 'Gastroenterologist'],
  ['peds', 'Pediatrician'],
  ['cardiolgist', 'Cardiologist'],
  ['anestesiologist', 'Anesthesiologist'],
])('"%s" ranks %s first', async (search, title) => {
  expect(titles(await find(search))[0]).toBe(title);
});

test.each(['zzzzqq', '%', '_', '\\', '///'])('%j matches no title', async (search) => {
  expect(await find(search)).toMatchObject({ count: 0, results: [] });
});

test('rejects an invalid page', async () => {
  const answer = await server.app.inject({ url: '/api/position-titles/?page_size=500' });
  expect(answer.json()).toMatchObject({ status: 400, errors: { page_size: expect.anything() } });
});
