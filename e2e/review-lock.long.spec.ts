import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { logIn, PASSWORD, PHONE, requestsOf, signIn } from './account.ts';
import { expect, test } from './fixtures.ts';
import { button, dialog, expectTexts, expectValues, fill, press } from './forms.ts';
import {
  expectEditable,
  LOCKED,
  lockReviews,
  NEW_CODE,
  openAuthor,
  openReset,
  resetAndLogIn,
  sendUnlock,
  toCode,
  UNLOCKED,
} from './review-lock.ts';

const NEW_PASSWORD = 'Another-night-2';
const NO_NEED = 'You don’t need the code in a browser that is still signed in';

test('locked reviews can be edited everywhere', async ({ page, context, server, elsewhere }) => {
  test.slow();
  await page.setViewportSize(PHONE);
  const author = await openAuthor(page, server);
  await signIn(elsewhere, server, author.email);
  const tab = await context.newPage();
  await tab.goto(paths.dashboard());
  await expect(tab.getByRole('heading', { name: 'My Reviews (1)' })).toBeVisible();

  await lockReviews(page);
  // Without a reload, so that it uses what the other tab stored.
  await tab.getByRole('link', { name: /^Edit/ }).first().click();
  await tab.getByLabel('Review Summary *').fill('Changed in another tab.');
  await press(tab, 'Update Review');
  await expect(tab.getByRole('heading', { name: 'Review Updated!' })).toBeVisible();
  await tab.close();

  const logInAgain = async (password: string) => {
    await elsewhere.goto(paths.myReviews());
    await expect(elsewhere).toHaveURL(paths.login({ expired: true }));
    await logIn(elsewhere, author.email, password);
    await expect(elsewhere).not.toHaveURL(/\/login/);
    await expectEditable(elsewhere, author);
  };
  await logInAgain(PASSWORD);

  await page.reload();
  await press(page, 'Change password');
  await fill(page, {
    'Current password': PASSWORD,
    'New password': NEW_PASSWORD,
    'Confirm new password': NEW_PASSWORD,
  });
  await press(page, 'Change password');
  await expectTexts(page, 'Your password has been changed.', 'Your reviews are locked.');
  await expectEditable(page, author);
  await logInAgain(NEW_PASSWORD);
});

test('a reset here keeps them, and warns if signed out', async ({ page, server, elsewhere }) => {
  const author = await openAuthor(page, server);
  await lockReviews(page);
  await openReset(page, server, author.email, NEW_PASSWORD);
  await expect(page.getByText(`This browser is signed in as ${author.email}.`)).toBeVisible();
  await resetAndLogIn(page, author.email, NEW_PASSWORD);
  await expectEditable(page, author);

  await openReset(page, server, author.email, PASSWORD);
  await expect(page.getByText('This browser is signed in as')).toBeVisible();
  // Unlocking ends every other session.
  await elsewhere.goto(paths.login({ redirect: 'profile' }));
  await logIn(elsewhere, author.email, NEW_PASSWORD);
  await press(elsewhere, 'Unlock my reviews');
  await sendUnlock(elsewhere, NEW_PASSWORD);
  await expect(elsewhere.getByText(UNLOCKED)).toBeVisible();
  const { path } = accountEndpoints.resetPassword;
  const sent = requestsOf(page, (request) => request.url().endsWith(path));
  await press(page, 'Reset Password');
  await expect(page.getByRole('alert')).toContainText('You are no longer signed in here.');
  await expect(page.getByText(NO_NEED)).toBeVisible();
  expect(sent).toEqual([]);
  await resetAndLogIn(page, author.email, PASSWORD);
});

test('a reset elsewhere with the newest code keeps them', async ({ page, server, elsewhere }) => {
  const author = await openAuthor(page, server);
  const old = await lockReviews(page);
  const code = await toCode(page, 'Create a new recovery code');
  expect(code).not.toBe(old);
  await button(page, 'I saved the code').click();
  await fill(dialog(page), { 'Recovery code': old, 'Current password': PASSWORD });
  await button(page, 'Use the new code').click();
  await expect(dialog(page).getByText('Group 1 does not match')).toBeVisible();
  await fill(dialog(page), { 'Recovery code': code });
  await button(page, 'Use the new code').click();
  await expect(page.getByText(NEW_CODE)).toBeVisible();
  await expect(page.getByText(LOCKED)).toBeHidden();

  await openReset(elsewhere, server, author.email, NEW_PASSWORD);
  const field = elsewhere.getByLabel('Recovery code');
  for (const [wrong, text] of [
    ['7K2MD', /A recovery code has 25 letters and digits/],
    [old, /This recovery code does not fit your account\./],
  ] as const) {
    await field.fill(wrong);
    await press(elsewhere, 'Reset Password');
    await expect(field).toHaveAccessibleDescription(text);
  }
  await expect(field).toBeFocused();
  await expectValues(elsewhere, { 'Recovery code': old, 'New password': NEW_PASSWORD });

  await field.fill(code.toLowerCase());
  await resetAndLogIn(elsewhere, author.email, NEW_PASSWORD);
  await expectEditable(elsewhere, author);
  await elsewhere.goto(paths.profile());
  await expect(elsewhere.getByText('Your reviews are locked.')).toBeVisible();
});

test('a reset elsewhere without the code detaches them', async ({ page, server, elsewhere }) => {
  const { email, review } = await openAuthor(page, server);
  await lockReviews(page);
  await openReset(elsewhere, server, email, NEW_PASSWORD);
  const warning = 'a reset without the recovery code leaves them published';
  await expectTexts(elsewhere, warning, NO_NEED);
  await resetAndLogIn(elsewhere, email, NEW_PASSWORD);

  await elsewhere.goto(paths.review(review.id));
  await expect(elsewhere.getByText(review.review_text)).toBeVisible();
  await elsewhere.goto(paths.myReviews());
  await expect(elsewhere.getByText('No reviews yet')).toBeVisible();
  await expect(elsewhere.getByRole('article')).toHaveCount(0);
});

test('unlocked reviews need no code', async ({ page, server, elsewhere }) => {
  const author = await openAuthor(page, server);
  await lockReviews(page);
  await press(page, 'Unlock my reviews');
  await sendUnlock(page, 'Wrong-night-1');
  const password = dialog(page).getByLabel('Current password');
  await expect(password).toHaveAccessibleDescription('Incorrect password.');
  await expect(password).toHaveValue('Wrong-night-1');
  await sendUnlock(page, PASSWORD);
  await expectTexts(page, UNLOCKED, 'Your reviews are not locked.');
  await expect(page.getByRole('button', { name: 'Lock my reviews' })).toBeFocused();
  await expectEditable(page, author);

  await openReset(elsewhere, server, author.email, NEW_PASSWORD);
  await resetAndLogIn(elsewhere, author.email, NEW_PASSWORD);
  await expectEditable(elsewhere, author);
});
