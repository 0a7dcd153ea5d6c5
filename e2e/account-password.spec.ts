import type { Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { RESET_REDIRECT_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import {
  accessToken,
  browseSlowly,
  DEMO,
  expectFailures,
  hold,
  logIn,
  newDetails,
  newResetLink,
  PHONE,
  refuse,
  resetLink,
  signIn,
  signUp,
} from './account.ts';
import { expect, test } from './fixtures.ts';
import { expectValues, fill, follow, press } from './forms.ts';

const FORGOT_CALL = `**/api${accountEndpoints.requestPasswordReset.path}`;
const CONFIRM_CALL = `**/api${accountEndpoints.resetPassword.path}`;
const VALIDATE_CALL = '**/api/auth/password/reset/validate/**';
const NEW_PASSWORD = 'Another-night-2';

const fillIn = (page: Page, chosen: string, confirmed = chosen) =>
  fill(page, { 'New password': chosen, 'Confirm new password': confirmed });

test('replaces a forgotten password by email', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const { email } = await signUp(server);
  await page.goto(paths.forgotPassword());
  const send = page.getByRole('button', { name: 'Send Reset Email' });
  await expect(send).toBeDisabled();
  await page.getByLabel('Email').fill('  ');
  await expect(send).toBeDisabled();
  await fill(page, { Email: 'ines' });
  await send.click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  const { release } = await hold(page, FORGOT_CALL);
  await send.click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible();
  release();
  await expect(page.locator(':focus')).toHaveText('Password reset email sent! Check your inbox.');

  const validation = await hold(page, VALIDATE_CALL);
  await page.goto(await resetLink(server, email));
  await expect(page.getByText('Validating reset link...')).toBeVisible();
  validation.release();

  const reset = page.getByRole('button', { name: 'Reset Password' });
  await expect(reset).toBeDisabled();
  const chosen = page.getByLabel('New password', { exact: true });
  await expect(chosen).toHaveAttribute('autocomplete', 'new-password');
  await fillIn(page, NEW_PASSWORD, 'Another-night-3');
  await expect(page.getByText('Passwords do not match.')).toBeVisible();
  await expect(reset).toBeDisabled();
  await fillIn(page, 'Short-1');
  await expect(page.getByText('Passwords do not match.')).toBeHidden();
  await reset.click();
  await expect(page.getByText('Password must be at least 8 characters long.')).toBeVisible();
  await expect(chosen).toHaveAttribute('aria-invalid', 'true');

  await fillIn(page, NEW_PASSWORD);
  const confirmation = await hold(page, CONFIRM_CALL);
  await reset.click();
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeVisible();
  confirmation.release();
  await expect(page).toHaveURL(paths.login());
  await logIn(page, email, NEW_PASSWORD);
  await expect(page).toHaveURL(paths.dashboard());
});

test('a rejected reset can be tried again; a reset ends the session', async ({ page, server }) => {
  const { email } = await signUp(server);
  const link = await newResetLink(server, email);
  await signIn(page, server, email);
  await page.clock.install();
  await page.goto(link);
  const reset = async (password: string) => {
    await fillIn(page, password);
    await press(page, 'Reset Password');
  };
  await expectFailures(page, CONFIRM_CALL, () => reset(NEW_PASSWORD), [
    [refuse(400, { error: 'Token already used' }), 'Token already used'],
    [refuse(502), 'Failed to reset password.'],
  ]);
  await reset('P@ssw0rd');
  const common = 'This password is too common. Please choose another.';
  await expect(page.getByRole('alert')).toHaveText(common);

  await page.clock.pauseAt(Date.now() + 60_000);
  await reset(NEW_PASSWORD);
  const done = 'Password reset successfully! You can now login with your new password.';
  await expect(page.getByText(done)).toBeVisible();
  expect(await accessToken(page)).toBeNull();
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(link);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(paths.login());
});

test('after a reset, a link that is slow to open wins over the login', async ({ page, server }) => {
  const { email } = await signUp(server);
  await page.setViewportSize(PHONE);
  await page.clock.install();
  await page.goto(await newResetLink(server, email));
  await fillIn(page, NEW_PASSWORD);
  await page.clock.pauseAt(Date.now() + 60_000);
  await press(page, 'Reset Password');
  await expect(page.getByText('Password reset successfully!')).toBeVisible();
  await browseSlowly(page, RESET_REDIRECT_MS);
});

test('answers the same for an unknown address, and says what failed', async ({ page, server }) => {
  const { email } = newDetails();
  await page.goto(paths.forgotPassword());
  await page.getByLabel('Email').fill(email);
  const send = page.getByRole('button', { name: 'Send Reset Email' });
  const failed = 'Failed to send password reset email.';
  const limited = 'Too many password reset attempts. Please try again later.';
  await expectFailures(page, FORGOT_CALL, () => send.click(), [
    [refuse(500), failed],
    [refuse(429, {}, { 'retry-after': '60' }), limited],
    [(route) => route.abort(), failed],
  ]);
  await send.click();
  await expect(page.getByText('Password reset email sent! Check your inbox.')).toBeVisible();
  expect(await server.mailTo(email)).toEqual([]);

  await press(page, 'Send Another Reset Email');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expectValues(page, { Email: '' });
  await expect(page.getByText('Password reset email sent!')).toBeHidden();
  await page.getByLabel('Email').fill(email);
  await send.click();
  await follow(page, 'Back to Login', paths.login());
});

test('an invalid link offers to request a new one', async ({ page, server }) => {
  const link = new URL(await newResetLink(server, DEMO.pending), server.url);
  link.searchParams.set('token', 'x');
  const text = 'This password reset link is invalid or has expired. Please request a new one.';
  for (const target of [link.href, paths.passwordReset()]) {
    await page.goto(target);
    await expect(page.getByRole('heading', { name: 'Invalid Reset Link' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(text);
  }
  await follow(page, 'Request New Reset Link', paths.forgotPassword());
});

test('without a response, a link is not called invalid', async ({ page, server }) => {
  const link = await newResetLink(server, DEMO.readonly);
  await page.route(VALIDATE_CALL, (route) => route.abort(), { times: 1 });
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('Please check your internet connection.');
  await press(page, 'Try again');
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
});
