import { expect } from 'vitest';
import type { Tokens } from '#contract/accounts/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { DAY_MS } from '#contract/limits.ts';
import { deriveKeys } from '#server/anonymity/keys.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { invalid, type Site, test as siteTest } from '#server/testing/site.ts';
import { deviceOf, isSignedIn, refreshWith, refusalOf } from '../testing/account-flows.ts';
import { beginSession } from './sessions.ts';

const test = siteTest.extend('account', ({ site }) => site.doctor());

const SESSION_EXPIRED = {
  status: 401,
  code: 'session_expired',
  detail: 'Your session has expired. Please log in again.',
};

const sessionsOf = (site: Site, { userId }: TestAccount) => {
  const account_key = site.deps.keys.sessionIndex('session-account', userId);
  return site.rows('sessions', { account_key });
};

const refreshed = async (site: Site, device: Pick<Tokens, 'refresh'>) =>
  deviceOf((await refreshWith(site, device)).body);

test('twenty refreshes of one token at once leave one successor', async ({ site, account }) => {
  const devices = await Promise.all(Array.from({ length: 20 }, () => refreshed(site, account)));
  const [first] = devices;
  expect(new Set(devices.map(({ refresh }) => refresh)).size).toBe(1);
  for (const device of devices) expect(await isSignedIn(site, device)).toBe(true);
  expect(await sessionsOf(site, account)).toHaveLength(1);
  expect(first && (await refreshed(site, first))).toBeTruthy();
});

test('reuse within 30 s is fine; later, it ends the session', async ({ site, account }) => {
  const first = await refreshed(site, account);
  site.pass(30_000);
  expect((await refreshed(site, account)).refresh).toBe(first.refresh);
  site.pass(1);
  expect(refusalOf(await refreshWith(site, account))).toEqual(SESSION_EXPIRED);
  expect(refusalOf(await refreshWith(site, first))).toEqual(SESSION_EXPIRED);
  expect(await isSignedIn(site, first)).toBe(false);
  expect(await sessionsOf(site, account)).toEqual([]);
});

test('a late refresh gets the newest token, even if others moved on', async ({ site, account }) => {
  const second = await refreshed(site, account);
  const third = await refreshed(site, second);
  expect((await refreshed(site, account)).refresh).toBe(third.refresh);
  site.pass(31_000);
  const fourth = await refreshed(site, third);
  expect(refusalOf(await refreshWith(site, account))).toEqual(SESSION_EXPIRED);
  expect(refusalOf(await refreshWith(site, fourth))).toEqual(SESSION_EXPIRED);
});

test('reuse in one session does not affect other sessions', async ({ site, account: victim }) => {
  const other = await site.doctor();
  await refreshed(site, victim);
  site.pass(31_000);
  expect(refusalOf(await refreshWith(site, victim))).toEqual(SESSION_EXPIRED);
  expect((await refreshWith(site, other)).status).toBe(200);
});

test('rejects an invalid token, and ends nothing', async ({ site, account }) => {
  const cut = account.refresh.slice(0, -4);
  const turned = `${account.refresh.slice(0, -6)}AAAAAA`;
  for (const refresh of ['x', 'AQFy', 'AQFyAAAA', cut, turned, account.headers.authorization]) {
    expect(refusalOf(await refreshWith(site, { refresh }))).toEqual(SESSION_EXPIRED);
    const { status, body } = await site.visitor().post(sessionEndpoints.logout, { refresh });
    expect([status, body]).toEqual([200, { message: 'Signed out.' }]);
  }
  for (const [payload, message] of [
    [{}, 'Refresh token is required'],
    [{ refresh: '' }, 'Refresh token is required'],
    [{ refresh: 'x'.repeat(1001) }, SESSION_EXPIRED.detail],
  ] as const) {
    const answer = await refreshWith(site, invalid(payload));
    expect(refusalOf(answer)).toMatchObject({ status: 400, errors: { refresh: [message] } });
  }
  expect((await refreshWith(site, account)).status).toBe(200);
});

test('an access token stops working as soon as its session ends', async ({ site, account }) => {
  const device = await refreshed(site, account);
  expect(await isSignedIn(site, device)).toBe(true);
  // Also with an older token of the session.
  await site.visitor().post(sessionEndpoints.logout, { refresh: account.refresh });
  expect(await isSignedIn(site, device)).toBe(false);
  expect(refusalOf(await refreshWith(site, device))).toEqual(SESSION_EXPIRED);
});

test('an access token lasts 15 minutes', async ({ site, account }) => {
  site.pass(14 * 60_000);
  expect(await isSignedIn(site, account)).toBe(true);
  site.pass(61_000);
  expect(await isSignedIn(site, account)).toBe(false);
});

test('a session ends after 14 idle days', async ({ site, account: kept }) => {
  const idle = await site.doctor();
  site.pass(14 * DAY_MS - 1000);
  await refreshed(site, kept);
  site.pass(1000);
  expect(refusalOf(await refreshWith(site, idle))).toEqual(SESSION_EXPIRED);
});

test('a session ends after 90 days, however active', async ({ site, account }) => {
  let device: Pick<Tokens, 'refresh'> = account;
  for (let day = 10; day < 90; day += 10) {
    site.pass(10 * DAY_MS);
    device = await refreshed(site, device);
  }
  site.pass(10 * DAY_MS - 60_000);
  const last = await refreshed(site, device);
  site.pass(59_000);
  expect(await isSignedIn(site, last)).toBe(true);
  site.pass(1000);
  expect(await isSignedIn(site, last)).toBe(false);
  expect(refusalOf(await refreshWith(site, last))).toEqual(SESSION_EXPIRED);
});

test('a session row identifies nobody; expiry is rounded to a day', async ({ site, account }) => {
  const [session] = await sessionsOf(site, account);
  const end = new Date(site.time.now.getTime() + 15 * DAY_MS).toISOString().slice(0, 10);
  expect(session?.expires_on).toBe(end);
  expect(JSON.stringify(session)).not.toContain(account.userId);
  const columns = ['account_key', 'expires_on', 'id', 'sealed'];
  expect(Object.keys(session ?? {}).toSorted()).toEqual(columns);
});

test('rejects tokens of another server and requests without one', async ({ site, account }) => {
  const { deps } = site;
  const keys = deriveKeys({ ...deps.config.secrets, session: Buffer.alloc(32, 7) });
  const foreign = await beginSession({ ...deps, keys }, deps.db, account.userId);
  for (const authorization of [
    '',
    'Bearer',
    'Bearer x',
    'Bearer x.y.z',
    `Bearer ${foreign.access}`,
    account.headers.authorization.replace('Bearer', 'Basic'),
    `Bearer ${account.refresh}`,
  ]) {
    const answer = await site.as({ headers: { authorization } }).get(sessionEndpoints.user);
    expect(refusalOf(answer)).toEqual({
      status: 401,
      code: 'authentication_required',
      detail: 'Please log in to continue.',
    });
  }
});
