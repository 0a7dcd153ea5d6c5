import type { Page } from '@playwright/test';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import {
  DEMO,
  DESKTOP,
  hold,
  logIn,
  newDetails,
  PASSWORD,
  PHONE,
  refuse,
  signIn,
  signUp,
} from './account.ts';
import { expect, test } from './fixtures.ts';

const LOGIN_CALL = `**/api${sessionEndpoints.login.path}`;

test('requires all fields and rejects an invalid address', async ({ page }) => {
  await page.goto(paths.login());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('ines@');
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('Email').fill('ines@hospital.example');
  await expect(page.getByText('Invalid email address')).toBeHidden();
});

test('lets a password manager fill in the form', async ({ page }) => {
  await page.goto(paths.login());
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
});

test('shows that it is busy, then redirects to the dashboard', async ({ page }) => {
  const { release } = await hold(page, LOGIN_CALL);
  await page.goto(paths.login());
  await logIn(page, DEMO.doctor);
  await expect(page.getByRole('button', { name: 'Signing in...' })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  release();
  await expect(page).toHaveURL(paths.dashboard());
  await expect(page.getByRole('button', { name: /Dr\. Maya Castellanos/ })).toBeVisible();
});

test('gives the same answer for a wrong password and for an unknown address', async ({
  page,
  server,
}) => {
  const { email } = await signUp(server);
  await page.goto(paths.login());
  for (const address of [email, newDetails().email]) {
    await logIn(page, address, 'Wrong-password-1');
    await expect(page.getByRole('alert')).toHaveText('Incorrect email or password.');
  }
});

test('shows the error, message, or detail of a failed call, otherwise its own text', async ({
  page,
}) => {
  const bodies = [
    [{ error: 'E', message: 'M', detail: 'D' }, 'E'],
    [{ message: 'M', detail: 'D' }, 'M'],
    [{ detail: 'D' }, 'D'],
    [{}, 'Login failed. Please try again.'],
  ] as const;
  await page.goto(paths.login());
  for (const [body, text] of bodies) {
    await page.route(LOGIN_CALL, refuse(403, body), { times: 1 });
    await logIn(page, DEMO.doctor);
    await expect(page.getByRole('alert')).toHaveText(text);
  }
  await page.route(LOGIN_CALL, (route) => route.abort());
  await logIn(page, DEMO.doctor);
  await expect(page.getByText('Login failed. Please try again.')).toBeVisible();
  await expect(
    page.getByText('Network error. Please check your internet connection.'),
  ).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(DEMO.doctor);
});

test('redirects to the requested page, and never to another site', async ({ page, server }) => {
  const targets = [
    [paths.login({ redirect: 'dashboard' }), paths.dashboard()],
    [paths.login({ redirect: 'profile' }), paths.profile()],
    [paths.login({ redirect: 'create-review', employer: 1 }), '/create-review?employer=1'],
    [paths.login({ redirect: '//evil.example/x' }), '/evil.example/x'],
    [paths.login({ redirect: '\\evil.example' }), paths.dashboard()],
  ] as const;
  await page.goto(targets[0][0]);
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(targets[0][1]);
  for (const [login, target] of targets) {
    // A signed-in user is redirected right away.
    await page.goto(login);
    await expect(page).toHaveURL(new URL(target, server.url).href);
  }
});

test('redirects to a page that does not exist, which says so', async ({ page, server }) => {
  await signIn(page, server, DEMO.doctor);
  await page.goto(paths.login({ redirect: 'no-such-page' }));
  await expect(page.getByRole('heading', { name: 'This page does not exist.' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Account menu/ })).toBeVisible();
});

test('keeps its parameters and opens the legal texts in a new tab', async ({ page, context }) => {
  await page.goto(paths.login({ redirect: 'create-review', employer: 7 }));
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL('/signup?redirect=create-review&employer=7');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/login?redirect=create-review&employer=7');

  for (const [name, path] of [
    ['Terms of Use', paths.terms()],
    ['Privacy Policy', paths.privacy()],
  ] as const) {
    const opened = context.waitForEvent('page');
    await page.getByRole('main').getByRole('link', { name }).click();
    const tab = await opened;
    await expect(tab).toHaveURL(path);
    await tab.close();
  }
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(paths.forgotPassword());
});

test('says that a session has expired', async ({ page }) => {
  await page.goto(paths.login({ expired: true }));
  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible();
  await page.goto(paths.login());
  await expect(page.getByText('Your session has expired.')).toBeHidden();
});

test('continues automatically when another tab signs in', async ({ page, context, server }) => {
  await page.goto(paths.login({ redirect: 'profile' }));
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  const other = await context.newPage();
  await signIn(other, server, DEMO.doctor);
  await expect(page).toHaveURL(paths.profile());
});

test('keeps what the user typed before the script loaded', async ({ page }) => {
  const { release } = await hold(page, '**/assets/entry.client*.js');
  await page.goto(paths.login(), { waitUntil: 'commit' });
  await page.getByLabel('Email').fill(DEMO.doctor);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled();
  release();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(paths.dashboard());
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  // Text locators skip what is in <noscript>.
  const needsScript = (page: Page, what: string) =>
    page.locator('noscript p').filter({ visible: true, hasText: `This ${what} needs JavaScript.` });

  for (const viewport of [PHONE, DESKTOP]) {
    test(`the forms say what they need, at ${viewport.width} px`, async ({ page }) => {
      await page.setViewportSize(viewport);
      for (const path of [paths.login(), paths.signup(), paths.forgotPassword()]) {
        await page.goto(path);
        await expect(needsScript(page, 'form')).toBeVisible();
      }
    });

    test(`a page behind the login says what it needs, at ${viewport.width} px`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      for (const path of [paths.createReview(), paths.dashboard(), paths.passwordReset()]) {
        await page.goto(path);
        await expect(needsScript(page, 'page')).toBeVisible();
        await expect(page.getByText('Loading...')).toBeHidden();
      }
    });
  }
});
