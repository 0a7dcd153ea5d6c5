import { describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { networkAddress, RATE_LIMITS } from './rate-limits.ts';

describe('whose limit it is', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (ip, expected) => {
    expect(networkAddress({ ip })).toBe(expected);
  });
});

const guess = { email: 'nobody@mail.example', password: 'Guess-1234' };

test('refuses with Retry-After once the points are used up, and only that address', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.2 } });
  const logIn = (remoteAddress: string) =>
    server.app.inject({ method: 'POST', url: '/api/auth/login/', payload: guess, remoteAddress });
  const allowed = RATE_LIMITS.loginPair.points * 0.2;
  for (let tries = 0; tries < allowed; tries += 1) {
    expect((await logIn('192.0.2.1')).statusCode).toBe(401);
  }
  const refused = await logIn('192.0.2.1');
  expect(refused.statusCode).toBe(429);
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(RATE_LIMITS.loginPair.seconds);
  expect(refused.json()).toMatchObject({
    code: 'rate_limited',
    detail: `Rate limit exceeded. Please try again in ${seconds} seconds.`,
  });
  expect((await logIn('192.0.2.2')).statusCode).toBe(401);
});

/** As a proxy passes it on, which is what anyone can claim to be. */
const logInAs = ({ app }: TestApp, forwarded: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: guess,
    headers: { 'x-forwarded-for': forwarded },
  });

test('X-Forwarded-For of a stranger changes nothing', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.1 } });
  await logInAs(server, '192.0.2.1');
  expect((await logInAs(server, '192.0.2.2')).statusCode).toBe(429);
});

test('that of a configured proxy does', async () => {
  await using server = await buildTestApp({
    config: { rateLimitFactor: 0.1, trustProxy: '127.0.0.1' },
  });
  await logInAs(server, '192.0.2.1');
  expect((await logInAs(server, '192.0.2.2')).statusCode).toBe(401);
});

test('the limits are kept without a trace of the address', async () => {
  await using server = await buildTestApp();
  await server.app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: guess,
    remoteAddress: '192.0.2.77',
  });
  const rows = await server.deps.db.selectFrom('rate_limits').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2\.77|nobody|login/);
});
