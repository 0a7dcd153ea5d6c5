import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import type { AccountExport } from '#contract/member/account-data.ts';
import { paths } from '#web/lib/paths.ts';
import {
  accessToken,
  call,
  DEMO,
  expectFailures,
  hold,
  linkIn,
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
  sure,
} from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { expectTexts, expectValues, fill, follow, press } from './forms.ts';

const USER_CALL = '**/api/users/**';
const RESET_CALL = `**/api${accountEndpoints.requestPasswordReset.path}`;

/** Returns the value next to a term. */
const fact = (page: Page, term: string) =>
  page.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: term }) });

const edit = (page: Page) => press(page, 'Edit Profile');
const save = (page: Page) => press(page, 'Save Changes');

test('shows details with a masked NPI; names can be changed', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const today = () =>
    new Date().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const before = today();
  const { email, npi } = await openProfile(page, server);
  // Midnight may have passed in the meantime.
  const days = new RegExp(`${before}|${today()}`);
  await expect(page.getByText('Manage your profile and review settings')).toBeVisible();
  await expect(fact(page, 'First Name')).toContainText('Ines');
  await expect(fact(page, 'Last Name')).toContainText('Halloran');
  await expect(fact(page, 'Email Address')).toContainText(email);
  const secured = fact(page, 'NPI');
  await expect(secured).toContainText('(secured)');
  await expect(secured).toContainText(`****${npi.slice(-4)}`);
  await expect(secured).toContainText('Used for verification only. Never shown publicly.');
  await expect(page.getByText(npi)).toBeHidden();
  await expect(fact(page, 'Member Since')).toContainText(days);
  await expect(fact(page, 'Verification')).toContainText('Unverified');

  await edit(page);
  await expectValues(page, {
    'First Name': 'Ines',
    'Last Name': 'Halloran',
    'Email Address': email,
  });
  await expect(page.getByLabel('Email Address')).toHaveAttribute('type', 'email');
  await fill(page, { 'First Name': 'Nobody' });
  await press(page, 'Cancel');
  await expect(fact(page, 'First Name')).toContainText('Ines');
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused();
  await edit(page);
  await expect(page.getByLabel('First Name')).toHaveValue('Ines');

  await page.getByLabel('First Name').fill('Inés');
  const { release } = await hold(page, USER_CALL);
  await save(page);
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible();
  release();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(fact(page, 'First Name')).toContainText('Inés');
  await expect(page.getByText('Dr. Inés Halloran')).toHaveCount(2);
  await page.reload();
  await expect(fact(page, 'First Name')).toContainText('Inés');
});

test('a late answer leaves the focus where the user types by then', async ({ page, server }) => {
  await openProfile(page, server);
  await edit(page);
  const { release } = await hold(page, USER_CALL);
  await save(page);
  await press(page, 'Change password');
  const password = page.getByLabel('Current password');
  await expect(password).toBeFocused();
  release();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.keyboard.type('Typed meanwhile');
  await expect(password).toHaveValue('Typed meanwhile');
});

test('shows errors, sends a reset link, and downloads all data', async ({ page, server }) => {
  const { email, npi } = await openProfile(page, server);
  await edit(page);
  await page.getByLabel('Email Address').fill('ines@hospital');
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Email error: Invalid email address');
  await fill(page, { 'First Name': '', 'Email Address': 'ines@hospital.example' });
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Update failed: First name is required');
  await expectFailures(page, USER_CALL, () => save(page), [
    [refuse(403, { error: 'Not now' }), 'Not now'],
    [refuse(400, { details: ['a', 'b'] }), 'Update failed: a, b'],
    [refuse(400, { username: ['is taken'] }), 'Username error: is taken'],
    [refuse(500), 'Failed to update profile. Please try again.'],
    [(route) => route.abort(), 'Failed to update profile. Please try again.'],
  ]);

  await page.getByRole('button', { name: 'Cancel' }).click();
  const reset = page.getByRole('button', { name: 'Reset Password' });
  await expectFailures(page, RESET_CALL, () => reset.click(), [
    [refuse(429), 'Failed to send password reset email. Please try again.'],
  ]);
  const { release } = await hold(page, RESET_CALL);
  await reset.click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible();
  release();
  const sent = 'Password reset email sent! Check your inbox for instructions.';
  await expect(page.getByText(sent)).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await mailText(server, email, /Choose a new password/);

  const ask = () => press(page, 'Download my data');
  await expectFailures(page, `**/api${accountEndpoints.export.path}`, ask, [
    [refuse(500), 'Failed to download your data. Please try again.'],
  ]);
  const downloading = page.waitForEvent('download');
  await ask();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^curbside-\d{4}-\d{2}-\d{2}\.json$/);
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as AccountExport;
  expect(data).toMatchObject({ user: { email }, doctor: { npi }, reviews: [] });
});

test('a new address waits for its link; the old mailbox undoes it', async ({ page, server }) => {
  const { email } = await openProfile(page, server);
  const changed = newDetails().email;
  await edit(page);
  await page.getByLabel('Email Address').fill(changed);
  await save(page);
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(fact(page, 'Email Address')).toContainText(email);
  await expect(fact(page, 'Email Address')).toContainText(`Changes to ${changed}`);

  await page.goto(await linkIn(server, changed, /Confirm your new/, '/confirm-email'));
  await press(page, 'Confirm the new address');
  await expect(page.locator(':focus')).toHaveText('Your email address has been changed.');
  await page.getByRole('link', { name: 'Go to my profile' }).click();
  await expect(fact(page, 'Email Address')).toContainText(changed);
  await expect(page.getByText('Changes to')).toBeHidden();

  const link = await linkIn(server, email, /about to change/, paths.stopEmailChange());
  await page.goto(link);
  await press(page, 'Keep my address');
  await expectTexts(page, 'The change has been undone.', 'Every device has been signed out.');
  await expect(page.getByRole('link', { name: 'Join now' })).toBeVisible();
  expect(await accessToken(page)).toBeNull();
  await expect(page).toBeAccessible();
  await follow(page, 'Reset your password', paths.forgotPassword());

  await page.goto(link);
  await press(page, 'Keep my address');
  await expect(page.getByRole('alert')).toHaveText('This link is invalid or has expired.');
  await expect(page.getByRole('link', { name: 'Reset your password' })).toBeHidden();
});

test('a form from before the new address was confirmed does not change it back', async ({
  page,
  server,
}) => {
  const { email } = await signUp(server);
  const changed = newDetails().email;
  await requestEmailChange(server, email, changed);
  await signIn(page, server, email, paths.profile());
  await edit(page);
  const link = new URL(
    await linkIn(server, changed, /Confirm your new/, '/confirm-email'),
    server.url,
  );
  const token = sure(link.searchParams.get('token'));
  await call(server, accountEndpoints.confirmEmail, { body: { token } });
  await page.getByLabel('First Name').fill('Inés');
  await save(page);
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(fact(page, 'First Name')).toContainText('Inés');
  await expect(fact(page, 'Email Address')).toContainText(changed);
  await expect(page.getByText('Changes to')).toBeHidden();
});

test('the old mailbox can stop the change', LONG, async ({ page, server }) => {
  const { email } = await signUp(server);
  await requestEmailChange(server, email, newDetails().email);
  await signIn(page, server, email);
  const link = await linkIn(server, email, /about to change/, paths.stopEmailChange());
  // A mail system that runs scripts opens the link, too.
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Keep my address' })).toBeEnabled();
  await page.reload();
  await press(page, 'Keep my address');
  await expectTexts(page, 'The change has been stopped. Your email address stays as it is.');
  // The user who asked for the change was signed out. Other pages redirect to the login once they
  // notice.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto(paths.profile());
  await logIn(page, email);
  await expect(page.getByRole('heading', { name: 'My Account', level: 1 })).toBeVisible();
  await expect(page.getByText('Changes to')).toBeHidden();
});

test('deletes the account only with the password', async ({ page, server }) => {
  const { email } = await openProfile(page, server);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete my account' });
  const remove = dialog.getByRole('button', { name: 'Delete account' });
  await remove.click();
  const choose = 'Please choose what should happen to your reviews';
  await expectTexts(dialog, choose, 'Password is required');
  const password = dialog.getByLabel('Password', { exact: true });
  await password.fill('Wrong-password-1');
  await dialog.getByLabel('Keep them, detached from any account').check();
  await remove.click();
  await expect(dialog.getByText('Incorrect password.')).toBeVisible();

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(password).toHaveValue('');
  const keep = dialog.getByRole('radio', { name: 'Keep them, detached from any account' });
  await expect(keep).not.toBeChecked();
  await expect(keep).toHaveAccessibleDescription(/can’t post for 12 months\.$/);
  const oneByOne = dialog.getByRole('radio', { name: /one by one/ });
  await expect(oneByOne).toHaveAccessibleDescription(/can’t post until they are gone\.$/);
  // For an account whose NPI someone else has proven.
  const text = 'You cannot keep your reviews.';
  const call = `**/api${accountEndpoints.delete.path}`;
  await page.route(call, refuse(400, { errors: { reviews: [text] } }), { times: 1 });
  await keep.check();
  await password.fill(PASSWORD);
  const sent = page.waitForRequest(call);
  await remove.click();
  expect((await sent).postDataJSON()).toEqual({ password: PASSWORD, reviews: 'keep' });
  const choice = dialog.getByRole('group', { name: 'What should happen to your reviews?' });
  await expect(choice).toHaveAccessibleDescription(text);
  await expect(password).toHaveValue(PASSWORD);

  await dialog.getByLabel('Delete them now').check();
  await remove.click();
  await expect(page).toHaveURL(paths.login());
  await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  expect(await accessToken(page)).toBeNull();
  await logIn(page, email);
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password.');
});

test('an administrator has no NPI; says if loading failed', async ({ page, signedIn }) => {
  await signedIn(DEMO.admin, paths.profile());
  await expect(fact(page, 'NPI')).toContainText('Not available');

  await page.route('**/api/auth/user/', (route) => route.abort());
  await page.route('**/api/doctors/me/', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Failed to load profile.')).toBeVisible();
  expect(await accessToken(page)).not.toBeNull();
});
