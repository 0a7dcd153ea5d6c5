import type { Page } from '@playwright/test';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, hold, logIn, PASSWORD, requestsOf } from './account.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

/** The script that validates the forms of signed-out visitors. */
const CHECKS = '**/assets/account-checks-*.js';

const LOGIN = `**/api${sessionEndpoints.login.path}`;

const sentLogins = (page: Page) =>
  requestsOf(page, (request) => request.url().endsWith(`/api${sessionEndpoints.login.path}`));

/** Opens a page whose clock stands still, because a form waits only 5 seconds for its checks. */
async function openStill(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await openLive(page, path);
  await page.clock.pauseAt(Date.now() + 60_000);
}

test('loads its checks once entered, waits, and focuses the error', async ({ page }) => {
  const sent = sentLogins(page);
  const loaded = requestsOf(page, (request) => request.url().includes('account-checks'));
  const { release } = await hold(page, CHECKS);
  await page.clock.install();
  await openLive(page, paths.login());
  await page.waitForLoadState('networkidle');
  expect(loaded).toEqual([]);
  await page.clock.pauseAt(Date.now() + 60_000);
  const checks = page.waitForRequest(CHECKS);
  await page.getByLabel('Email').focus();
  await checks;
  await logIn(page, 'ines@');
  const busy = page.getByRole('button', { name: 'Signing in...' });
  await expect(busy).toHaveAttribute('aria-busy', 'true');
  await page.getByRole('heading', { level: 1 }).click();
  release();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
  expect(sent).toEqual([]);
});

test('late errors do not interrupt a user who is typing by then', async ({ page }) => {
  const { release } = await hold(page, CHECKS);
  await openStill(page, paths.signup());
  await page.getByRole('button', { name: 'Sign up' }).click();
  const first = page.getByLabel('First name');
  await first.pressSequentially('In');
  release();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(first).toBeFocused();
  await page.keyboard.type('es');
  await expect(first).toHaveValue('Ines');
  await expect(page.getByLabel('Email')).toHaveValue('');
});

test('is sent once, without checks that do not arrive in 5 seconds', async ({ page }) => {
  const sent = sentLogins(page);
  await hold(page, CHECKS);
  await openStill(page, paths.login());
  await logIn(page, DEMO.doctor);
  await page.getByRole('button', { name: 'Signing in...' }).click({ force: true });
  await page.getByLabel('Email').press('Enter');
  expect(sent).toEqual([]);
  await page.clock.runFor(5000);
  await expect(page).toHaveURL(paths.dashboard());
  expect(sent).toHaveLength(1);
});

test.describe('if the checks cannot be loaded', () => {
  test.beforeEach(async ({ page }) => {
    await page.route(CHECKS, (route) => route.abort());
  });

  test('the server checks a login; late errors do not interrupt typing', async ({ page }) => {
    await openLive(page, paths.login());
    const email = page.getByLabel('Email');
    const password = page.getByLabel('Password', { exact: true });
    const { release } = await hold(page, LOGIN);
    await logIn(page, 'ines@');
    await password.press('End');
    release();
    await expect(email).toHaveAccessibleDescription('Invalid email address');
    await expect(password).toBeFocused();

    await password.press('Enter');
    await expect(email).toBeFocused();
    await expect(email).toHaveAccessibleDescription('Invalid email address');
    await expect(email).toHaveValue('ines@');
    await logIn(page, ` ${DEMO.doctor} `);
    await expect(page).toHaveURL(paths.dashboard());
  });

  test('the server checks a sign-up and a reset request', async ({ page }) => {
    await openLive(page, paths.signup());
    await page.getByRole('button', { name: 'Sign up' }).click();
    for (const label of ['Email', 'First name', 'Last name', 'NPI Number']) {
      const described = new RegExp(`${label} is required$`);
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(described);
    }
    await expect(page.getByLabel('Email')).toBeFocused();

    await openLive(page, paths.forgotPassword());
    await page.getByLabel('Email').fill('ines@');
    await page.getByRole('button', { name: 'Send Reset Email' }).click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
    await page.getByLabel('Email').fill(DEMO.doctor);
    await page.getByRole('button', { name: 'Send Reset Email' }).click();
    await expect(page.getByText('Password reset email sent! Check your inbox.')).toBeVisible();
  });
});
