import type { Browser, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { Review } from '#contract/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { logIn, newResetLink, PASSWORD, type Signup, signIn } from './account.ts';
import { newPoster, newReview } from './review.ts';
import type { TestServer } from './server.ts';

export const LOCKED = 'Your reviews are locked. All other sessions have been signed out.';
export const NEW_CODE =
  'Your new recovery code is in use. All other sessions have been signed out.';
export const UNLOCKED = 'Your reviews are unlocked. All other sessions have been signed out.';

export interface Author extends Signup {
  review: Review;
}

/** Opens the profile of a doctor with one review. */
export async function openAuthor(page: Page, server: TestServer): Promise<Author> {
  const details = await newPoster(server);
  const review = await newReview(server, {}, { by: details.email });
  await signIn(page, server, details.email);
  await page.goto(paths.profile());
  await expect(page.getByText('Your reviews are not locked.')).toBeVisible();
  return { ...details, review };
}

/** Opens a new browser, like another device. */
export async function anotherDevice(browser: Browser, server: TestServer): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url });
  return context.newPage();
}

export async function logInElsewhere(browser: Browser, server: TestServer, author: Author) {
  const device = await anotherDevice(browser, server);
  await device.goto(paths.login());
  await logIn(device, author.email, author.password);
  await expect(device).toHaveURL(paths.dashboard());
  return device;
}

export const dialog = (page: Page) => page.getByRole('dialog');
export const button = (page: Page, name: string) => dialog(page).getByRole('button', { name });

/** Opens the recovery code from the profile and reads it from the screen. */
export async function toCode(page: Page, opener: string): Promise<string> {
  await page.getByRole('button', { name: opener }).click();
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
  await dialog(page).getByLabel('Recovery code').fill(code);
  await dialog(page).getByLabel('Current password').fill(PASSWORD);
  await button(page, 'Lock my reviews').click();
  await expect(page.getByText(LOCKED)).toBeVisible();
  return code;
}

/** Asserts that the author's own screens show the review and can edit it. */
export async function expectEditable(page: Page, { review }: Author): Promise<void> {
  await page.goto(paths.myReviews());
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.goto(paths.editReview(review.id));
  const text = `Changed ${crypto.randomUUID().slice(0, 8)}.`;
  await page.getByLabel('Review Summary *').fill(text);
  await page.getByRole('button', { name: 'Update Review' }).click();
  await expect(page.getByRole('heading', { name: 'Review Updated!' })).toBeVisible();
  await page.goto(paths.review(review.id));
  await expect(page.getByText(text)).toBeVisible();
}

/** Opens the form from the link in a reset email and fills in a new password. */
export async function openReset(page: Page, server: TestServer, email: string, password: string) {
  await page.goto(await newResetLink(server, email));
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
}

/** Sends the reset form and signs in with the new password. */
export async function resetAndLogIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('Password reset successfully!')).toBeVisible();
  await expect(page).toHaveURL(paths.login());
  await logIn(page, email, password);
  await expect(page).toHaveURL(paths.dashboard());
}
