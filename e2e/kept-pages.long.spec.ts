import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { CHROMIUM_FLAGS } from '../playwright.config.ts';
import { ensureChromium } from '../scripts/chromium.ts';
import { DEMO, logIn, signIn, storeTokens, tokensFor } from './account.ts';
import { expect, test } from './fixtures.ts';

// They share a browser and a server.
test.describe.configure({ mode: 'default' });

/** With the back/forward cache, which the driver turns off. */
test.use({
  launchOptions: {
    args: CHROMIUM_FLAGS,
    executablePath: ensureChromium(true),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
});

/** A page outside of the app, which the browser loads as a document of its own. */
const ELSEWHERE = '/robots.txt';

const welcome = (page: Page) => page.getByRole('heading', { name: /^Welcome, Dr\. / });

/** Logs in by the form, so that the browser keeps the document of /login, and leaves the app. */
async function logInAndLeave(page: Page): Promise<string> {
  await page.goto(paths.login());
  await logIn(page, DEMO.doctor);
  await expect(welcome(page)).toBeVisible();
  const name = (await welcome(page).textContent()) ?? '';
  await page.evaluate(() =>
    // Added last, so it sees what the page leaves for the first paint.
    addEventListener('pageshow', ({ persisted }) => {
      sessionStorage.setItem('shown', JSON.stringify([persisted, document.body.textContent]));
    }),
  );
  await page.goto(ELSEWHERE);
  return name;
}

/** Whether the browser had kept the page, and the text of its first paint after the return. */
const firstShown = (page: Page): Promise<[boolean, string]> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('shown') ?? 'null'));

test('back after a sign-out in another tab shows no account', async ({ page, context }) => {
  await logInAndLeave(page);
  const other = await context.newPage();
  await other.goto(paths.profile());
  await other.getByRole('button', { name: /Account menu/ }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other).toHaveURL(paths.home());
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL(paths.login({ redirect: 'dashboard' }));
  await expect.poll(() => firstShown(page)).toEqual([true, '']);
});

test('back after another sign-in shows only that dashboard', async ({ page, context, server }) => {
  const name = await logInAndLeave(page);
  await signIn(await context.newPage(), server, DEMO.readonly);
  await page.goBack({ waitUntil: 'commit' });
  await expect(welcome(page)).toBeVisible();
  await expect(welcome(page)).not.toHaveText(name);
  await expect.poll(() => firstShown(page)).toEqual([true, '']);
});

test('back in the same session keeps the page as it was', async ({ page }) => {
  const name = await logInAndLeave(page);
  await page.goBack({ waitUntil: 'commit' });
  await expect(welcome(page)).toHaveText(name);
  await expect.poll(() => firstShown(page)).toEqual([true, expect.stringContaining(name)]);
});

test('a page follows when another tab changes the account', async ({ page, context, server }) => {
  await signIn(page, server, DEMO.doctor, paths.dashboard());
  await expect(welcome(page)).toBeVisible();
  const name = (await welcome(page).textContent()) ?? '';
  await storeTokens(await context.newPage(), await tokensFor(server, DEMO.readonly));
  await expect(welcome(page)).not.toHaveText(name);
  await expect(page.getByRole('banner')).not.toContainText(name.replace('Welcome, ', ''));
});
