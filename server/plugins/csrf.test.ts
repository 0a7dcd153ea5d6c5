import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

const logOut = (headers: Record<string, string>, cookies: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/api/auth/logout/',
    headers,
    cookies,
    payload: { refresh: 'none' },
  });

test('GET /csrf/ sets a cookie that our script can read, and keeps an existing one', async () => {
  const first = await server.app.inject('/api/csrf/');
  const [cookie] = first.cookies;
  expect(first.statusCode).toBe(204);
  expect(cookie).toMatchObject({ name: 'csrftoken', path: '/', sameSite: 'Lax' });
  expect(cookie).not.toHaveProperty('httpOnly');
  const csrftoken = cookie?.value ?? '';
  expect(csrftoken.length).toBeGreaterThan(30);
  const again = await server.app.inject({ url: '/api/csrf/', cookies: { csrftoken } });
  expect(again.cookies[0]?.value).toBe(csrftoken);
});

describe('an unsafe request is rejected', () => {
  test.each([
    ['from another site, by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }, {}],
    ['from another origin', { origin: 'https://evil.example' }, {}],
    ['from an opaque origin', { origin: 'null' }, {}],
    ['with the cookie but no header', {}, { csrftoken: 'abc' }],
    ['with a header that differs from the cookie', { 'x-csrftoken': 'abd' }, { csrftoken: 'abc' }],
    [
      'with a header of the same length in characters, but not in bytes',
      { 'x-csrftoken': 'a' },
      { csrftoken: 'é' },
    ],
  ])('%s', async (_, headers, cookies) => {
    const answer = await logOut(
      headers as Record<string, string>,
      cookies as Record<string, string>,
    );
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'cross_site_request' });
  });
});

describe('an unsafe request is accepted', () => {
  test.each([
    ['without cookie or origin (a program)', {}, {}],
    ['from our own origin', { origin: 'http://localhost:3000' }, {}],
    ['with the cookie and its header', { 'x-csrftoken': 'abc' }, { csrftoken: 'abc' }],
  ])('%s', async (_, headers, cookies) => {
    const answer = await logOut(
      headers as Record<string, string>,
      cookies as Record<string, string>,
    );
    expect(answer.statusCode).toBe(200);
  });
});

test('read requests are never rejected', async () => {
  const answer = await server.app.inject({
    url: '/api/employers/',
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  });
  expect(answer.statusCode).toBe(200);
});
