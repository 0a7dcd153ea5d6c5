import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { logIn, PASSWORD, PHONE, requestsOf } from './account.ts';
import { expect, test } from './fixtures.ts';
import {
  anotherDevice,
  button,
  dialog,
  expectEditable,
  LOCKED,
  lockReviews,
  logInElsewhere,
  NEW_CODE,
  openAuthor,
  openReset,
  resetAndLogIn,
  toCode,
  UNLOCKED,
} from './review-lock.ts';

const NEW_PASSWORD = 'Another-night-2';
const NO_NEED = 'You don’t need the code in a browser that is still signed in';

test('a locked review can be edited here, on a second device, and after a password change', async ({
  page,
  server,
  browser,
}) => {
  await page.setViewportSize(PHONE);
  const author = await openAuthor(page, server);
  await lockReviews(page);
  await expectEditable(page, author);

  const second = await logInElsewhere(browser, server, author);
  await expectEditable(second, author);

  await page.goto(paths.profile());
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await expect(page.getByText('Your reviews are locked.')).toBeVisible();
  await expectEditable(page, author);

  await second.goto(paths.myReviews());
  await expect(second).toHaveURL(/\/login/);
  await logIn(second, author.email, NEW_PASSWORD);
  await expect(second).not.toHaveURL(/\/login/);
  await expectEditable(second, author);
});

test('locking signs out other devices, but not other tabs', async ({
  page,
  context,
  server,
  browser,
}) => {
  const author = await openAuthor(page, server);
  const second = await logInElsewhere(browser, server, author);
  const tab = await context.newPage();
  await tab.goto(paths.dashboard());
  await expect(tab.getByRole('heading', { name: 'My Reviews (1)' })).toBeVisible();

  await lockReviews(page);
  // Without a reload, so that it uses what the other tab stored.
  await tab.getByRole('link', { name: /^Edit/ }).first().click();
  await tab.getByLabel('Review Summary *').fill('Changed in another tab.');
  await tab.getByRole('button', { name: 'Update Review' }).click();
  await expect(tab.getByRole('heading', { name: 'Review Updated!' })).toBeVisible();

  await second.goto(paths.myReviews());
  await expect(second).toHaveURL(/\/login/);
});

test('a reset in a browser that is still signed in keeps the locked reviews', async ({
  page,
  server,
}) => {
  const author = await openAuthor(page, server);
  await lockReviews(page);
  await openReset(page, server, author.email, NEW_PASSWORD);
  await expect(page.getByText(`This browser is signed in as ${author.email}.`)).toBeVisible();
  await resetAndLogIn(page, author.email, NEW_PASSWORD);
  await expectEditable(page, author);
});

test('a reset elsewhere keeps the locked reviews with the recovery code', async ({
  page,
  server,
  browser,
}) => {
  const author = await openAuthor(page, server);
  const code = await lockReviews(page);
  const second = await anotherDevice(browser, server);
  await openReset(second, server, author.email, NEW_PASSWORD);
  const field = second.getByLabel('Recovery code');
  const reset = second.getByRole('button', { name: 'Reset Password' });

  await field.fill('7K2MD');
  await reset.click();
  await expect(field).toHaveAccessibleDescription(/A recovery code has 25 letters and digits/);
  await field.fill('0'.repeat(25));
  await reset.click();
  await expect(field).toHaveAccessibleDescription(/This recovery code does not fit your account\./);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('0'.repeat(25));
  await expect(second.getByLabel('New password', { exact: true })).toHaveValue(NEW_PASSWORD);

  await field.fill(code.toLowerCase());
  await resetAndLogIn(second, author.email, NEW_PASSWORD);
  await expectEditable(second, author);
  await second.goto(paths.profile());
  await expect(second.getByText('Your reviews are locked.')).toBeVisible();
});

test('a reset elsewhere without the code leaves the locked reviews published without an owner', async ({
  page,
  server,
  browser,
}) => {
  const author = await openAuthor(page, server);
  await lockReviews(page);
  const second = await anotherDevice(browser, server);
  await openReset(second, server, author.email, NEW_PASSWORD);
  const warning = 'a reset without the recovery code leaves them published';
  await expect(second.getByText(warning)).toBeVisible();
  await expect(second.getByText(NO_NEED)).toBeVisible();
  await resetAndLogIn(second, author.email, NEW_PASSWORD);

  await second.goto(paths.review(author.review.id));
  await expect(second.getByText(author.review.review_text)).toBeVisible();
  await second.goto(paths.myReviews());
  await expect(second.getByText('No reviews yet')).toBeVisible();
  await expect(second.getByRole('article')).toHaveCount(0);
});

test('unlocked reviews need no code', async ({ page, server, browser }) => {
  const author = await openAuthor(page, server);
  await lockReviews(page);
  await page.getByRole('button', { name: 'Unlock my reviews' }).click();
  const password = dialog(page).getByLabel('Current password');
  await password.fill('Wrong-night-1');
  await button(page, 'Unlock my reviews').click();
  await expect(password).toHaveAccessibleDescription('Incorrect password.');
  await expect(password).toHaveValue('Wrong-night-1');
  await password.fill(PASSWORD);
  await button(page, 'Unlock my reviews').click();
  await expect(page.getByText(UNLOCKED)).toBeVisible();
  await expect(page.getByText('Your reviews are not locked.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lock my reviews' })).toBeFocused();
  await expectEditable(page, author);

  const second = await anotherDevice(browser, server);
  await openReset(second, server, author.email, NEW_PASSWORD);
  await resetAndLogIn(second, author.email, NEW_PASSWORD);
  await expectEditable(second, author);
});

test('a new recovery code replaces the old one', async ({ page, server, browser }) => {
  const author = await openAuthor(page, server);
  const old = await lockReviews(page);
  const code = await toCode(page, 'Create a new recovery code');
  expect(code).not.toBe(old);
  await button(page, 'I saved the code').click();
  await dialog(page).getByLabel('Recovery code').fill(old);
  await dialog(page).getByLabel('Current password').fill(PASSWORD);
  await button(page, 'Use the new code').click();
  await expect(dialog(page).getByText('Group 1 does not match')).toBeVisible();
  await dialog(page).getByLabel('Recovery code').fill(code);
  await button(page, 'Use the new code').click();
  await expect(page.getByText(NEW_CODE)).toBeVisible();
  await expect(page.getByText(LOCKED)).toBeHidden();

  const second = await anotherDevice(browser, server);
  await openReset(second, server, author.email, NEW_PASSWORD);
  await second.getByLabel('Recovery code').fill(old);
  await second.getByRole('button', { name: 'Reset Password' }).click();
  await expect(second.getByText('This recovery code does not fit your account.')).toBeVisible();
  await second.getByLabel('Recovery code').fill(code);
  await resetAndLogIn(second, author.email, NEW_PASSWORD);
  await expectEditable(second, author);
});

test('a reset warns first if its browser is no longer signed in', async ({
  page,
  server,
  browser,
}) => {
  const author = await openAuthor(page, server);
  await lockReviews(page);
  await openReset(page, server, author.email, NEW_PASSWORD);
  await expect(page.getByText('This browser is signed in as')).toBeVisible();
  // Unlocking ends every other session.
  const second = await logInElsewhere(browser, server, author);
  await second.goto(paths.profile());
  await second.getByRole('button', { name: 'Unlock my reviews' }).click();
  await dialog(second).getByLabel('Current password').fill(PASSWORD);
  await button(second, 'Unlock my reviews').click();
  await expect(second.getByText(UNLOCKED)).toBeVisible();

  const { path } = accountEndpoints.resetPassword;
  const sent = requestsOf(page, (request) => request.url().endsWith(path));
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('alert')).toContainText('You are no longer signed in here.');
  await expect(page.getByText(NO_NEED)).toBeVisible();
  expect(sent).toEqual([]);
  await resetAndLogIn(page, author.email, NEW_PASSWORD);
});
