import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { ERRORS } from '#contract/errors.ts';
import type { AccountExport } from '#contract/member/account-data.ts';
import { paths } from '#web/lib/paths.ts';
import { newDetails, openProfile, PASSWORD, PHONE, refuse } from './account.ts';
import { expect, test } from './fixtures.ts';
import { expectTexts, expectValues, fill, press } from './forms.ts';

const { status, text } = ERRORS.confirm_password;
const CONFIRM = refuse(status, { code: 'confirm_password', detail: text, message: text });

const password = (page: Page) => page.getByLabel('Current password');
const download = (page: Page) => page.getByRole('button', { name: 'Download my data' });

/** Answers the next call to `url` as the server does if the login is 10 minutes old. */
const ageLogin = (page: Page, url: string) => page.route(url, CONFIRM, { times: 1 });

test('an email change asks for the password and keeps what was typed', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await openProfile(page, server);
  const { email } = newDetails();
  await press(page, 'Edit Profile');
  await expect(password(page)).toBeHidden();
  await fill(page, { 'First Name': 'Inés', 'Email Address': email });
  await ageLogin(page, '**/api/users/**');
  await press(page, 'Save Changes');

  await expect(password(page)).toBeFocused();
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
  await expect(password(page)).toHaveAccessibleDescription(text);
  await expect(page.getByRole('alert')).toBeHidden();

  await password(page).fill('Wrong-password-1');
  await page.keyboard.press('Enter');
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(password(page)).toHaveAccessibleDescription(/Incorrect password\./);
  await expect(password(page)).toBeFocused();
  await expectValues(page, { 'First Name': 'Inés', 'Email Address': email });
  await expect(page).toBeAccessible();

  await password(page).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expectTexts(page, 'Profile updated successfully!', `Changes to ${email}`);
  // The next form does not ask.
  await press(page, 'Edit Profile');
  await expect(password(page)).toBeHidden();
});

test('the download asks for the password and continues with it', async ({ page, server }) => {
  const { email } = await openProfile(page, server);
  const url = `**/api${accountEndpoints.export.path}`;
  await ageLogin(page, url);
  await download(page).click();
  await expect(password(page)).toBeFocused();
  await expect(password(page)).toHaveAccessibleDescription(text);
  await expect(page).toBeAccessible();
  await press(page, 'Cancel');
  await expect(password(page)).toBeHidden();
  await expect(download(page)).toBeFocused();

  await ageLogin(page, url);
  await download(page).click();
  await expect(password(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(password(page)).toHaveAccessibleDescription(/Password is required/);
  await password(page).fill('Wrong-password-1');
  await page.keyboard.press('Enter');
  await expect(password(page)).toHaveAccessibleDescription(/Incorrect password\./);
  await expect(password(page)).toBeFocused();
  await password(page).fill(PASSWORD);
  const downloading = page.waitForEvent('download');
  await download(page).click();
  const file = await (await downloading).path();
  const data = JSON.parse(await readFile(file, 'utf8')) as AccountExport;
  expect(data.user.email).toBe(email);
  await expect(password(page)).toBeHidden();
  await expect(download(page)).toBeFocused();
  expect(page.url()).not.toContain(PASSWORD);
});

test('warns before saving that a different name loses the verification', async ({
  page,
  doctor: { first_name, last_name },
}) => {
  await page.goto(paths.profile());
  await press(page, 'Edit Profile');
  const note = page.getByText(`Your name was verified as ${first_name} ${last_name}.`);
  const name = page.getByLabel('First Name');
  for (const same of [first_name, `${first_name.toUpperCase()} Q.`, '']) {
    await name.fill(same);
    await expect(note).toBeHidden();
  }
  await name.fill('Somebody');
  await expect(note).toBeVisible();
  await expect(note).toContainText('your account goes back to pending until it is verified again');
  await expect(name).toHaveAccessibleDescription(/back to pending/);
  await expect(page).toBeAccessible();

  await press(page, 'Save Changes');
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(page.getByText('Dr. Somebody')).not.toHaveCount(0);
  await expectTexts(page, 'Unverified', 'Not allowed');
  // No name is verified anymore.
  await press(page, 'Edit Profile');
  await name.fill('Nobody');
  await expect(note).toBeHidden();
});
