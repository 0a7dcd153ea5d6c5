import type { Locator, Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import {
  accessToken,
  expectFailures,
  hold,
  logIn,
  mailText,
  newDetails,
  openProfile,
  PASSWORD,
  PHONE,
  refuse,
  requestEmailChange,
  signIn,
  signUp,
  TOO_OFTEN,
  TOO_OFTEN_TEXT,
} from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { expectValues, fill, press } from './forms.ts';

const CHANGE_CALL = `**/api${accountEndpoints.changePassword.path}`;
const NEW_PASSWORD = 'Another-night-2';
const CHANGED =
  'Your password has been changed. You stay signed in here; all other sessions have been signed out.';

const opener = (page: Page) => page.getByRole('button', { name: 'Change password' });
const current = (page: Page) => page.getByLabel('Current password');
const chosen = (page: Page) => page.getByLabel('New password', { exact: true });
const confirmed = (page: Page) => page.getByLabel('Confirm new password');

const fillIn = (page: Page, old: string, chosen: string, confirmed = chosen) =>
  fill(page, {
    'Current password': old,
    'New password': chosen,
    'Confirm new password': confirmed,
  });

/** Opens the form, or sends it. */
const send = (page: Page) => press(page, 'Change password');

/** Asserts that a field with an error is marked, described by the error, and focused. */
async function expectFieldError(field: Locator, text: RegExp): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(text);
  await expect(field).toBeFocused();
}

test('with the keyboard only, on a phone', LONG, async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await openProfile(page, server);
  const { keyboard } = page;

  // Each button has its own sentence below it.
  const reset = page.getByRole('button', { name: 'Reset Password' });
  await expect(reset).toHaveAccessibleDescription(/^We’ll email you a link that works once/);
  await expect(opener(page)).toHaveAccessibleDescription(/^If you know your current password/);
  await reset.focus();
  await keyboard.press('Tab');
  await expect(opener(page)).toBeFocused();
  await keyboard.press('Enter');
  await expect(current(page)).toBeFocused();
  await expect(current(page)).toHaveAttribute('autocomplete', 'current-password');
  await keyboard.type(PASSWORD);
  // Skips the button that shows the password.
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(chosen(page)).toBeFocused();
  await expect(chosen(page)).toHaveAttribute('autocomplete', 'new-password');
  await keyboard.type(NEW_PASSWORD);
  await expect(page.getByText('Not met:')).toHaveCount(0);
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(confirmed(page)).toBeFocused();
  await expect(confirmed(page)).toHaveAttribute('autocomplete', 'new-password');
  await keyboard.type(NEW_PASSWORD);
  await expect(page).toBeAccessible();
  const { release } = await hold(page, CHANGE_CALL);
  await keyboard.press('Enter');
  const busy = page.getByRole('button', { name: 'Changing...' });
  await expect(busy).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  release();

  await expect(page.getByRole('status').filter({ hasText: CHANGED })).toBeVisible();
  await expect(current(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await expect(page).toBeAccessible();
});

test('ends other sessions and cancels pending links', async ({ page, elsewhere, server }) => {
  const { email } = await signUp(server);
  await requestEmailChange(server, email, newDetails().email);
  await signIn(page, server, email, paths.profile());
  await expect(page.getByText('Changes to')).toBeVisible();
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('Password reset email sent!')).toBeVisible();
  await signIn(elsewhere, server, email);
  const access = await accessToken(page);
  await send(page);
  await expect(page.getByText('This also cancels your pending email change.')).toBeVisible();
  await fillIn(page, PASSWORD, NEW_PASSWORD);
  await send(page);
  await expect(page.getByText(CHANGED)).toBeVisible();
  await expect(page.getByText('Changes to')).toBeHidden();
  await expect(page.getByText('Password reset email sent!')).toBeHidden();
  await mailText(server, email, /password was changed/);

  expect(await accessToken(page)).toBe(access);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  await elsewhere.goto(paths.profile());
  await expect(elsewhere).toHaveURL(paths.login({ expired: true }));
  await logIn(elsewhere, email, PASSWORD);
  await expect(elsewhere.getByRole('alert')).toHaveText('Incorrect email or password.');
  await logIn(elsewhere, email, NEW_PASSWORD);
  await expect(elsewhere).toHaveURL(paths.dashboard());
});

test('an error takes the focus once, and leaves it where the user goes next', async ({
  page,
  server,
}) => {
  await openProfile(page, server);
  await send(page);
  await current(page).press('Enter');
  await expectFieldError(current(page), /Password is required/);
  await current(page).press('Enter');
  const link = page.getByRole('button', { name: 'Reset Password' });
  await link.focus();
  await link.press('Enter');
  // The section with the form is rendered again.
  await expect(page.getByText('Password reset email sent!')).toBeVisible();
  await expect(link).toBeFocused();
});

test('shows an error at its field; Cancel clears the form', async ({ page, server }) => {
  await openProfile(page, server);
  await send(page);
  await send(page);
  await expectFieldError(current(page), /Password is required/);
  await expect(chosen(page)).toHaveAccessibleDescription(/Password is required/);

  await fillIn(page, PASSWORD, 'Abc-123');
  await send(page);
  await expectFieldError(chosen(page), /Password must be at least 8 characters/);
  await expect(page.getByText('Not met:')).toHaveCount(1);

  await fillIn(page, PASSWORD, NEW_PASSWORD, 'Another-night-3');
  await expectFieldError(confirmed(page), /Passwords do not match\./);
  await expect(opener(page)).toBeDisabled();

  await fillIn(page, PASSWORD, 'P@ssw0rd');
  await expect(page.getByText('Passwords do not match.')).toBeHidden();
  await send(page);
  await expectFieldError(chosen(page), /This password is too common\. Please choose another\./);

  await fillIn(page, 'Wrong-password-1', NEW_PASSWORD);
  await expect(page.getByText('too common')).toBeHidden();
  await send(page);
  await expectFieldError(current(page), /Incorrect password\./);
  await expectValues(page, {
    'Current password': 'Wrong-password-1',
    'New password': NEW_PASSWORD,
    'Confirm new password': NEW_PASSWORD,
  });

  await current(page).fill(PASSWORD);
  await expect(page.getByText('Incorrect password.')).toBeHidden();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(current(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await send(page);
  for (const field of [current, chosen, confirmed]) await expect(field(page)).toHaveValue('');

  // A failed change can be sent again, after renewing the session.
  const before = await accessToken(page);
  await fillIn(page, PASSWORD, NEW_PASSWORD);
  await expectFailures(page, CHANGE_CALL, () => send(page), [
    [refuse(500), 'Server error. Please try again later.'],
    [TOO_OFTEN, TOO_OFTEN_TEXT],
    [(route) => route.abort(), 'Network error. Please check your internet connection.'],
  ]);
  await page.route(CHANGE_CALL, refuse(401), { times: 1 });
  await send(page);
  await expect(page.getByText(CHANGED)).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  expect(await accessToken(page)).not.toBe(before);
});
