import type { Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import {
  accessToken,
  DEMO,
  hold,
  OFTEN,
  refuse,
  requestsOf,
  signIn,
  storeTokens,
  tokensFor,
} from './account.ts';
import { expect, test } from './fixtures.ts';
import type { TestServer } from './server.ts';

const REFRESH_CALL = `**/api${sessionEndpoints.refresh.path}`;
const EXPORT_CALL = `**/api${accountEndpoints.export.path}`;
const EXPIRED_LOGIN = paths.login({ expired: true });

function claimsOf(access: string): { exp: number } {
  const [, payload = ''] = access.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

/** A copy of a server's access token with another expiry. */
function withExpiry(access: string, secondsFromNow: number): string {
  const [header, , signature] = access.split('.');
  const exp = Math.floor(Date.now() / 1000) + secondsFromNow;
  const claims = JSON.stringify({ ...claimsOf(access), exp });
  return [header, Buffer.from(claims).toString('base64url'), signature].join('.');
}

/** Signs in on a page whose clock is stopped this long before the access token expires. */
async function signInWithTimeLeft(page: Page, server: TestServer, minutes: number) {
  const tokens = await tokensFor(server, DEMO.doctor);
  await storeTokens(page, tokens);
  const now = claimsOf(tokens.access).exp * 1000 - minutes * 60_000;
  await page.clock.install({ time: now - 60_000 });
  await page.clock.pauseAt(now);
  await page.goto(paths.profile());
  await expect(profile(page)).toBeVisible();
}

const listen = (page: Page, path: string) =>
  requestsOf(page, (request) => new URL(request.url()).pathname === `/api${path}`);

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

const profile = (page: Page) => page.getByRole('heading', { name: 'My Account' });

test('renews the access token two minutes before it expires', async ({ page, server }) => {
  const renewals = listen(page, sessionEndpoints.refresh.path);
  await signInWithTimeLeft(page, server, 15);
  const before = await accessToken(page);
  await page.clock.fastForward('12:59');
  expect(renewals).toHaveLength(0);
  await page.clock.fastForward('00:01');
  await expect.poll(() => accessToken(page)).not.toBe(before);
  expect(renewals).toHaveLength(1);
  await expect(page).toHaveURL(paths.profile());
});

test('a 401 renews the token and retries; another ends the session', async ({ page, signedIn }) => {
  await signedIn(DEMO.doctor, paths.profile());
  await expect(profile(page)).toBeVisible();
  const renewals = listen(page, sessionEndpoints.refresh.path);
  const exports = listen(page, accountEndpoints.export.path);
  await page.route(EXPORT_CALL, refuse(401), { times: 1 });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  await download;
  expect(renewals).toHaveLength(1);
  expect(exports).toHaveLength(2);
  expect(exports[1]?.headers()['authorization']).not.toBe(exports[0]?.headers()['authorization']);

  await page.route(EXPORT_CALL, refuse(401));
  await page.getByRole('button', { name: 'Download my data' }).click();
  await expect(page).toHaveURL(EXPIRED_LOGIN);
  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible();
  expect(exports).toHaveLength(4);
  expect(await accessToken(page)).toBeNull();
});

test('a failed renewal leads to the login, except from the sign-in screens', async ({
  page,
  server,
}) => {
  const { access } = await tokensFor(server, DEMO.doctor);
  const expired = { access: withExpiry(access, -60), refresh: 'no-such-token' };
  const screens = [paths.login(), paths.signup(), paths.forgotPassword(), paths.passwordReset()];
  for (const path of screens) {
    // Leaves the last page first, because it may react to the tokens, too.
    await storeTokens(page, expired);
    await page.goto(path, { waitUntil: 'commit' });
    await expect.poll(() => accessToken(page), OFTEN).toBeNull();
    await expect(page).toHaveURL(path);
  }
  await storeTokens(page, expired);
  await page.goto(paths.profile());
  await expect(page).toHaveURL(EXPIRED_LOGIN);
  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible();
  expect(await accessToken(page)).toBeNull();
});

test('a session cannot be used after signing out', async ({ page, server, signedIn }) => {
  await signedIn(DEMO.doctor, paths.profile());
  await expect(profile(page)).toBeVisible();
  const refresh = await page.evaluate(() => localStorage.getItem('refresh_token'));
  await signOut(page);
  await expect(page).toHaveURL(paths.home());
  const stored = await page.evaluate(() => Object.keys(localStorage));
  expect(stored.filter((key) => key.endsWith('_token'))).toEqual([]);
  const answer = await fetch(`${server.url}/api${sessionEndpoints.refresh.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh }),
  });
  expect(answer.status).toBe(401);
});

test('a request that a sign-out interrupts does not say that the session expired', async ({
  page,
  signedIn,
}) => {
  await signedIn(DEMO.doctor, paths.profile());
  await expect(profile(page)).toBeVisible();
  const exported = await hold(page, EXPORT_CALL);
  const refused = page.waitForResponse(EXPORT_CALL);
  await page.getByRole('button', { name: 'Download my data' }).click();
  // The page learns of the refusal before the answer that its session has ended.
  await page.route(`**/api${sessionEndpoints.logout.path}`, async (route) => {
    const response = await route.fetch();
    exported.release();
    expect((await refused).status()).toBe(401);
    await route.fulfill({ response });
  });
  await signOut(page);
  await expect(page).toHaveURL(paths.home());
  expect(await accessToken(page)).toBeNull();
});

test('signing out in one tab signs out the other tabs', async ({ page, context, server }) => {
  await signIn(page, server, DEMO.doctor);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(paths.profile());
    await expect(profile(tab)).toBeVisible();
  }
  await signOut(other);
  await expect(other).toHaveURL(paths.home());
  await expect(page).toHaveURL('/login?redirect=profile');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('all tabs share one renewal', async ({ page, context, server }) => {
  const { access, refresh } = await tokensFor(server, DEMO.doctor);
  const renewals: string[] = [];
  await context.route(REFRESH_CALL, async (route) => {
    renewals.push(route.request().url());
    await route.continue();
  });
  await storeTokens(page, { access: withExpiry(access, -60), refresh });
  const tabs = [page, await context.newPage(), await context.newPage()];
  await Promise.all(tabs.map((tab) => tab.goto(paths.profile())));
  for (const tab of tabs) await expect(profile(tab)).toBeVisible();
  expect(renewals).toHaveLength(1);
});
