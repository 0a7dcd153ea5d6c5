import { describe, expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints } from '#contract/endpoints/feedback.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { holdAuthor } from '#server/features/reviews/rows/scheduled-queries.ts';
import { test } from '#server/testing/site.ts';

/** The headers and cookies of a request. */
type Case = [what: string, headers: Record<string, string>, cookies: Record<string, string>];

test('GET /csrf/ sets a cookie that scripts can read, and keeps a given one', async ({ site }) => {
  const first = await site.app.inject('/api/csrf/');
  const [cookie] = first.cookies;
  expect(first.statusCode).toBe(204);
  expect(cookie).toMatchObject({ name: 'csrftoken', path: '/', sameSite: 'Lax' });
  expect(cookie).not.toHaveProperty('httpOnly');
  const csrftoken = cookie?.value ?? '';
  expect(csrftoken.length).toBeGreaterThan(30);
  const again = await site.app.inject({ url: '/api/csrf/', cookies: { csrftoken } });
  expect(again.cookies[0]?.value).toBe(csrftoken);
});

describe('an unsafe request is rejected', () => {
  test.for<Case>([
    ['from another site, by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }, {}],
    ['from another origin', { origin: 'https://evil.example' }, {}],
    ['from an opaque origin', { origin: 'null' }, {}],
    ['with the cookie but no header', {}, { csrftoken: 'abc' }],
    ['with a header that differs from the cookie', { 'x-csrftoken': 'abd' }, { csrftoken: 'abc' }],
    ['with a header of as many characters, not bytes', { 'x-csrftoken': 'a' }, { csrftoken: 'é' }],
  ])('%s', async ([, headers, cookies], { site }) => {
    const client = site.visitor({ headers, cookies });
    const { problem } = await client.post(sessionEndpoints.logout, { refresh: 'none' });
    expect(problem).toMatchObject({ status: 403, code: 'cross_site_request' });
  });
});

describe('an unsafe request is accepted', () => {
  test.for<Case>([
    ['without cookie or origin (a program)', {}, {}],
    ['from our own origin', { origin: 'http://localhost:3000' }, {}],
    ['with the cookie and its header', { 'x-csrftoken': 'abc' }, { csrftoken: 'abc' }],
  ])('%s', async ([, headers, cookies], { site }) => {
    const client = site.visitor({ headers, cookies });
    expect((await client.post(sessionEndpoints.logout, { refresh: 'none' })).status).toBe(200);
  });
});

test('read requests are never rejected', async ({ site }) => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect((await site.visitor({ headers }).get(employerEndpoints.list)).status).toBe(200);
});

test('an account that waits for itself leaves connections for everybody else', async ({ site }) => {
  const { keys, database } = site.deps;
  const voter = await site.doctor();
  const { id } = await site.review();
  const vote = () => site.as(voter).post(castVoteEndpoints.helpful, { params: { id } });
  const background = database.background.db;
  let votes: ReturnType<typeof vote>[] = [];
  await background.transaction().execute(async (trx) => {
    await holdAuthor(trx, openAuthor(keys, voter.userId).keys, null);
    votes = Array.from({ length: 60 }, vote);
    await expect.poll(() => waitingForLocks(background)).toBe(4);
    // All are simultaneous, and none waits for a connection.
    const numbers = Array.from({ length: 8 }, (_, at) => at + 1);
    const read = (page: number) => site.visitor().get(employerEndpoints.list, { query: { page } });
    const pages = await Promise.all(numbers.map(read));
    expect(pages.every(({ status }) => status < 500)).toBe(true);
    expect(await waitingForLocks(background)).toBe(4);
  });
  for (const { status } of await Promise.all(votes)) expect(status).toBe(200);
});
