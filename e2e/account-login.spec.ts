import type { Page } from '@playwright/test';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import {
  DEMO,
  DESKTOP,
  expectFailures,
  hold,
  logIn,
  newDetails,
  PASSWORD,
  PHONE,
  refuse,
  signIn,
  TOO_OFTEN,
  TOO_OFTEN_TEXT,
} from './account.ts';
import { expect, test, withoutScript } from './fixtures.ts';
import { expectTexts, expectValues, fill, follow, press } from './forms.ts';
import { atSizes } from './widths.ts';

const LOGIN_CALL = `**/api${sessionEndpoints.login.path}`;

test('lets a password manager fill in the form', async ({ page }) => {
  await page.goto(paths.login());
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
});

test('requires valid fields, keeps parameters, opens legal texts in a tab', async ({ page }) => {
  await page.goto(paths.login({ redirect: 'create-review', employer: 7 }));
  await expect(page.getByText('Your session has expired.')).toBeHidden();
  await press(page, 'Sign in');
  await expectTexts(page, 'Email is required', 'Password is required');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('ines@');
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('Email').fill('ines@hospital.example');
  await expect(page.getByText('Invalid email address')).toBeHidden();

  for (const [name, path] of [
    ['Terms of Use', paths.terms()],
    ['Privacy Policy', paths.privacy()],
  ] as const) {
    const opened = page.waitForEvent('popup');
    await page.getByRole('main').getByRole('link', { name }).click();
    const tab = await opened;
    await expect(tab).toHaveURL(path);
    await tab.close();
  }
  await follow(page, 'Create an account', '/signup?redirect=create-review&employer=7');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/login?redirect=create-review&employer=7');
  await follow(page, 'Forgot password?', paths.forgotPassword());
});

test('a failed login says why and keeps what was typed', async ({ page }) => {
  await page.goto(paths.login());
  const alert = page.getByRole('alert');
  for (const address of [DEMO.doctor, newDetails().email]) {
    const answer = page.waitForResponse(LOGIN_CALL);
    await logIn(page, address, 'Wrong-password-1');
    expect((await answer).status()).toBe(401);
    await expect(alert).toHaveText('Incorrect email or password.');
    await expectValues(page, { Email: address, Password: 'Wrong-password-1' });
  }
  const send = () => press(page, 'Sign in');
  await expectFailures(page, LOGIN_CALL, send, [
    [refuse(403, { error: 'E', message: 'M', detail: 'D' }), 'E'],
    [refuse(403, { message: 'M', detail: 'D' }), 'M'],
    [refuse(403, { detail: 'D' }), 'D'],
    [refuse(403), 'Login failed. Please try again.'],
    [TOO_OFTEN, TOO_OFTEN_TEXT],
  ]);
  await page.route(LOGIN_CALL, (route) => route.abort());
  await send();
  await expect(alert).toContainText('Login failed. Please try again.');
  await expect(alert).toContainText('Network error. Please check your internet connection.');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Wrong-password-1');
});

test('redirects to the requested page, and never to another site', async ({
  page,
  server,
  signedIn,
}) => {
  // A signed-in user is redirected right away.
  await signedIn(DEMO.doctor);
  for (const [login, target] of [
    [paths.login({ redirect: 'profile' }), paths.profile()],
    [paths.login({ redirect: 'create-review', employer: 1 }), '/create-review?employer=1'],
    [paths.login({ redirect: '//evil.example/x' }), '/evil.example/x'],
    [paths.login({ redirect: '\\evil.example' }), paths.dashboard()],
    [paths.login({ redirect: 'no-such-page' }), '/no-such-page'],
  ] as const) {
    await page.goto(login, { waitUntil: 'commit' });
    await expect(page).toHaveURL(new URL(target, server.url).href);
  }
  await expect(page.getByRole('heading', { name: 'This page does not exist.' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Account menu/ })).toBeVisible();
});

test('an expired session continues after another tab', async ({ page, context, server }) => {
  await page.goto(paths.login({ expired: true, redirect: 'profile' }));
  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  const other = await context.newPage();
  await signIn(other, server, DEMO.doctor);
  await expect(page).toHaveURL(paths.profile());
});

test('keeps what was typed before the script loaded, and is busy', async ({ page }) => {
  const script = await hold(page, '**/assets/entry.client*.js');
  const login = await hold(page, LOGIN_CALL);
  await page.goto(paths.login(), { waitUntil: 'commit' });
  await fill(page, { Email: DEMO.doctor, Password: PASSWORD });
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled();
  script.release();
  await press(page, 'Sign in');
  const busy = page.getByRole('button', { name: 'Signing in...' });
  await expect(busy).toHaveAttribute('aria-busy', 'true');
  login.release();
  await expect(page).toHaveURL(paths.dashboard());
  await expect(page.getByRole('button', { name: /Dr\. Maya Castellanos/ })).toBeVisible();
});

// Text locators skip what is in <noscript>.
const needsScript = (page: Page, what: string) =>
  page.locator('noscript p').filter({ visible: true, hasText: `This ${what} needs JavaScript.` });

withoutScript('without script, forms and personal pages say what they need', async ({ page }) => {
  for (const [what, path] of [
    ['form', paths.login()],
    ['form', paths.signup()],
    ['form', paths.forgotPassword()],
    ['page', paths.createReview()],
    ['page', paths.dashboard()],
    ['page', paths.passwordReset()],
  ] as const) {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await atSizes(page, [PHONE, DESKTOP], async () => {
      await expect(needsScript(page, what)).toBeVisible();
      await expect(page.getByText('Loading...')).toBeHidden();
    });
  }
});

test('logs in without the CSRF cookie and with a clock an hour fast', async ({ page }) => {
  await page.route(`**/api${sessionEndpoints.csrf.path}`, (route) => route.abort());
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await page.goto(paths.login());
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(paths.dashboard());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Welcome/);
});

/** Like the setting "block all cookies" of a browser. */
function blockSiteData() {
  const refuse = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  for (const storage of ['localStorage', 'sessionStorage', 'caches', 'indexedDB']) {
    Object.defineProperty(window, storage, { get: refuse });
  }
  Object.defineProperty(navigator.locks, 'request', { value: async () => refuse() });
  Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
}

/** Like a web view of Android without DOM storage. */
function omitStorage() {
  for (const storage of ['localStorage', 'sessionStorage', 'caches', 'indexedDB']) {
    Object.defineProperty(window, storage, { value: null });
  }
  for (const missing of ['locks', 'serviceWorker']) {
    Object.defineProperty(navigator, missing, { value: undefined });
  }
  Object.defineProperty(window, 'BroadcastChannel', { value: undefined });
}

for (const [without, remove] of Object.entries({
  'cookies and site data': blockSiteData,
  'storage and locks': omitStorage,
})) {
  test(`without ${without}, public pages work; the form says what is missing`, async ({ page }) => {
    await page.addInitScript(remove);
    await page.goto(paths.login());
    await expect(page.getByRole('alert')).toContainText('blocks cookies and site data');
    await expect(page).toBeAccessible();
    await page.getByRole('link', { name: 'Employers' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Employers' })).toBeVisible();
    await page.goto(paths.saved());
    await expect(page.getByRole('heading', { level: 1, name: 'Saved' })).toBeVisible();
    await expect(page.getByText('Nothing saved yet')).toBeVisible();
  });
}
