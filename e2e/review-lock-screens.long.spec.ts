import type { Page } from '@playwright/test';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { DESKTOP, expectFailures, hold, PASSWORD, PHONE, refuse } from './account.ts';
import { expect, test } from './fixtures.ts';
import { button, dialog, expectValues, fill, follow, press } from './forms.ts';
import { anEmployer, fillReview, newPoster, openForm, sendReview } from './review.ts';
import { LOCKED, lockReviews, openAuthor, openReset, shownCode, toCode } from './review-lock.ts';
import { shownAs, signInAs, VERIFICATIONS } from './verification.ts';
import { atSizes, sideways } from './widths.ts';

const LOCK_CALL = `**/api${accountEndpoints.lockReviews.path}`;

const typed = (page: Page) => dialog(page).getByLabel('Recovery code');
const password = (page: Page) => dialog(page).getByLabel('Current password');
const send = (page: Page) => button(page, 'Lock my reviews').click();

/** Goes to the last step, where the user types the code from paper. */
async function toConfirm(page: Page): Promise<string> {
  const code = await toCode(page, 'Lock my reviews');
  await button(page, 'I saved the code').click();
  await typed(page).fill(code);
  return code;
}

test('keeps what was typed through errors, never stores the code', async ({ page, server }) => {
  await openAuthor(page, server);
  const code = await toCode(page, 'Lock my reviews');
  await button(page, 'I saved the code').click();
  await send(page);
  await expect(typed(page)).toHaveAccessibleDescription('Recovery code is required');
  await expect(password(page)).toHaveAccessibleDescription('Password is required');

  const wrong = code.slice(0, -1) + (code.endsWith('7') ? '8' : '7');
  const mistyped = { 'Recovery code': wrong, 'Current password': 'Wrong-night-1' };
  await fill(dialog(page), mistyped);
  await send(page);
  await expect(typed(page)).toHaveAccessibleDescription(/^Group 5 does not match/);
  await expect(typed(page)).toBeFocused();
  await button(page, 'Back').click();
  expect(await shownCode(page)).toBe(code);
  await button(page, 'I saved the code').click();
  await expectValues(dialog(page), mistyped);

  await typed(page).fill(code.replaceAll(' ', '').toLowerCase());
  await send(page);
  await expect(password(page)).toHaveAccessibleDescription('Incorrect password.');
  await expect(password(page)).toBeFocused();
  await password(page).fill(PASSWORD);
  const alert = dialog(page).getByRole('alert');
  const failures = [
    [refuse(429, { error: 'Too many attempts.' }), 'Too many attempts.'],
    [refuse(502), 'Failed to lock your reviews. Please try again.'],
  ] as const;
  await expectFailures(page, LOCK_CALL, () => send(page), failures, alert);
  await page.route(LOCK_CALL, (route) => route.abort(), { times: 1 });
  await send(page);
  await expect(alert).toContainText('Keep your recovery code and try again.');
  await expect(password(page)).toHaveValue(PASSWORD);

  const { release } = await hold(page, LOCK_CALL);
  await send(page);
  await expect(button(page, 'Locking...')).toBeVisible();
  release();
  await expect(page.getByText(LOCKED)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create a new recovery code' })).toBeFocused();

  const kept = await page.evaluate(() =>
    JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }]),
  );
  const plain = code.replaceAll(' ', '');
  expect(kept.replaceAll('-', '').toUpperCase()).not.toContain(plain);
  await page.reload();
  await expect(page.getByText('Your reviews are locked.')).toBeVisible();
});

test('closing the dialog clears the fields but keeps the code', async ({ page, server }) => {
  await openAuthor(page, server);
  const section = page.getByRole('region', { name: 'Lock my reviews' });
  const enough = 'a match with the NPI registry is enough to lock your reviews';
  await expect(section).toContainText(enough);
  const code = await toConfirm(page);
  await password(page).fill(PASSWORD);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Lock my reviews' })).toBeFocused();
  expect(await toCode(page, 'Lock my reviews')).toBe(code);
  await button(page, 'I saved the code').click();
  await expectValues(dialog(page), { 'Recovery code': '', 'Current password': '' });
  await page.route(LOCK_CALL, refuse(503), { times: 1 });
  await page.reload();
  await expect(page.getByText('Failed to check whether your reviews are locked.')).toBeVisible();
  await press(page, 'Try again');
  await expect(page.getByText('Your reviews are not locked.')).toBeVisible();
  expect(await toCode(page, 'Lock my reviews')).not.toBe(code);
});

test('copies the code, and prints it without a name', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const author = await openAuthor(page, server);
  const code = await toCode(page, 'Lock my reviews');
  await button(page, 'Copy').click();
  await expect(dialog(page).getByText('Copied.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(code.replaceAll(' ', '-'));

  const title = await page.title();
  await page.emulateMedia({ media: 'print' });
  await expect(dialog(page)).toBeHidden();
  const printed = await page.locator('body').ariaSnapshot();
  expect(printed).toContain(code);
  expect(printed).toContain('If you forget your password');
  expect(printed).not.toMatch(/curbside|review/i);
  expect(printed).not.toContain(author.last_name);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await page.title()).toBe('Recovery code');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  expect(await page.title()).toBe(title);
});

test('offers to lock after the first review, not after the second', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const { email } = await newPoster(server);
  const employer = await anEmployer(server);
  await openForm(page, server, { email, employer });
  await fillReview(page);
  await sendReview(page);
  await expect(page.getByRole('link', { name: 'Lock my reviews' })).toBeVisible();
  await expect(page).toBeAccessible();
  expect(await sideways(page)).toBe(0);
  await follow(page, 'Lock my reviews', paths.reviewLock());
  await expect(page.getByRole('button', { name: 'Lock my reviews' })).toBeInViewport();
  await expect(page.getByRole('region', { name: 'Lock my reviews' })).toBeFocused();

  await openForm(page, server, { email, employer });
  await fillReview(page);
  const asked = page.waitForResponse(LOCK_CALL);
  await sendReview(page);
  await (await asked).finished();
  await expect(page.getByRole('link', { name: 'Go to my dashboard' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Lock my reviews' })).toBeHidden();
});

test('each state is accessible in both themes and fits', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const expectSound = async () => {
    await expect(page).toBeAccessible('light', 'dark');
    await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
  };
  const { email } = await openAuthor(page, server);
  await expectSound();
  await press(page, 'Lock my reviews');
  await expectSound();
  await button(page, 'Continue').click();
  await expectSound();
  await button(page, 'I saved the code').click();
  await send(page);
  await expect(dialog(page).getByText('Password is required')).toBeVisible();
  await expectSound();
  await page.keyboard.press('Escape');
  await lockReviews(page);
  await expectSound();
  await press(page, 'Create a new recovery code');
  await expectSound();
  await button(page, 'Cancel').click();
  await press(page, 'Unlock my reviews');
  await button(page, 'Unlock my reviews').click();
  await expect(dialog(page).getByText('Password is required')).toBeVisible();
  await expectSound();
  await openReset(page, server, email, 'Another-night-2');
  await expect(page.getByText('This browser is signed in as')).toBeVisible();
  await expectSound();
});

test('tells an account without a proof how to prove the NPI', async ({ page, server }) => {
  const verification = { ...VERIFICATIONS.passed, proofs: [] };
  const permissions = { verified: true, can_post_reviews: true };
  await signInAs(page, server, shownAs(verification, {}, permissions));
  const json = { locked: false, can_lock: false };
  await page.route(LOCK_CALL, (route) => route.fulfill({ json }));
  await page.goto(paths.reviewLock());
  const section = page.getByRole('region', { name: 'Lock my reviews' });
  await expect(section).toContainText('first prove that the NPI is yours');
  await expect(section.getByRole('button')).toHaveCount(0);
  await expect(page).toBeAccessible();
  await follow(section, 'Prove your NPI', paths.verificationRequired());
});
