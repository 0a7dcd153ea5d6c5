import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { call, logIn, newId, newResetLink, PASSWORD, type Signup, signIn } from './account.ts';
import { button, dialog, fill, press } from './forms.ts';
import { newPoster, newReview } from './review.ts';
import type { TestServer } from './server.ts';

export const LOCKED = 'Your reviews are locked. All other sessions have been signed out.';
export const NEW_CODE =
  'Your new recovery code is in use. All other sessions have been signed out.';
export const UNLOCKED = 'Your reviews are unlocked. All other sessions have been signed out.';

export interface Author extends Signup {
  server: TestServer;
  review: Review;
}

/** Opens the profile of a doctor with one review. */
export async function openAuthor(page: Page, server: TestServer): Promise<Author> {
  const details = await newPoster(server);
  const review = await newReview(server, {}, { by: details.email });
  await signIn(page, server, details.email, paths.profile());
  await expect(page.getByText('Your reviews are not locked.')).toBeVisible();
  return { ...details, server, review };
}

/** Opens the recovery code from the profile and reads it from the screen. */
export async function toCode(page: Page, opener: string): Promise<string> {
  await press(page, opener);
  await button(page, 'Continue').click();
  return shownCode(page);
}

export async function shownCode(page: Page): Promise<string> {
  const shown = dialog(page).getByText(/^(?:\w{5} ?){5}$/);
  return (await shown.textContent()) as string;
}

/** Locks the reviews from the profile. Returns the recovery code. */
export async function lockReviews(page: Page): Promise<string> {
  const code = await toCode(page, 'Lock my reviews');
  await button(page, 'I saved the code').click();
  await fill(dialog(page), { 'Recovery code': code, 'Current password': PASSWORD });
  await button(page, 'Lock my reviews').click();
  await expect(page.getByText(LOCKED)).toBeVisible();
  return code;
}

/** Sends the open dialog that unlocks the reviews. */
export async function sendUnlock(page: Page, password: string): Promise<void> {
  await fill(dialog(page), { 'Current password': password });
  await button(page, 'Unlock my reviews').click();
}

/** Asserts that the author's own screens show the review and can edit it. */
export async function expectEditable(page: Page, { review, server }: Author): Promise<void> {
  await page.goto(paths.myReviews());
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('link', { name: /^Edit/ }).click();
  const review_text = `Changed ${newId()}.`;
  await page.getByLabel('Review Summary *').fill(review_text);
  await press(page, 'Update Review');
  await expect(page.getByRole('heading', { name: 'Review Updated!' })).toBeVisible();
  const params = { id: review.id };
  expect(await call(server, reviewEndpoints.read, { params })).toMatchObject({ review_text });
}

/** Opens the form from the link in a reset email and fills in a new password. */
export async function openReset(page: Page, server: TestServer, email: string, password: string) {
  await page.goto(await newResetLink(server, email));
  await fill(page, { 'New password': password, 'Confirm new password': password });
}

/** Sends the reset form and signs in with the new password. */
export async function resetAndLogIn(page: Page, email: string, password: string): Promise<void> {
  await press(page, 'Reset Password');
  await expect(page).toHaveURL(paths.login());
  await logIn(page, email, password);
  await expect(page).toHaveURL(paths.dashboard());
}
