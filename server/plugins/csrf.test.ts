import { describe, expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
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
