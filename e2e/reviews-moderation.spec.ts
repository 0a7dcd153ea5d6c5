import type { Page } from '@playwright/test';
import { apiPath } from '#contract/api-path.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_RULES } from '#contract/review-rules.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { ModeratedReview } from '#contract/reviews/review-moderation.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, newId, PHONE, refuse, signIn, sure } from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { expectValues, follow, press } from './forms.ts';
import { reportedReview } from './office-stock.ts';
import { ownReviewsOf } from './review.ts';
import type { TestServer } from './server.ts';

const REPORTS_CALL = '**/api/admin/reports/*';
const EMPTY = { count: 0, next: null, previous: null, results: [] };

const statusOf = async (server: TestServer, { id }: Review) =>
  (await fetch(`${server.url}/api${apiPath(reviewEndpoints.read, { params: { id } })}`)).status;

/** Opens the reports as the administrator, and finds the one about a new review. */
async function openReported(page: Page, server: TestServer) {
  const review_text = `A text that someone objects to, ${newId()}.`;
  const objection = { reason: 'abusive', note: 'Insults a colleague.' } as const;
  const review = await reportedReview(server, { review_text }, objection);
  await signIn(page, server, DEMO.admin, paths.adminReports());
  const entry = page.getByRole('main').locator('li').filter({ hasText: review_text });
  return { review, entry };
}

test('is only for administrators, and others get a not-found page', async ({ page, signedIn }) => {
  await page.goto(paths.adminReports());
  await expect(page).toHaveURL(paths.login({ redirect: 'admin/reports' }));
  await signedIn(DEMO.doctor, paths.adminReports());
  await expect(page.getByRole('heading', { name: 'This page does not exist.' })).toBeVisible();
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(page.getByRole('link', { name: 'Profile Settings' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Office' })).toHaveCount(0);
});

// office-look.long.spec.ts checks the accessibility of all four lists.
test('removes a review with a reason, and restores it', async ({ page, server }) => {
  const { review, entry } = await openReported(page, server);
  await page.goto(paths.home());
  const office = page.getByRole('link', { name: 'Office' });
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(office).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(office).toBeHidden();
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Menu' }).click();
  await office.click();
  await expect(page).toHaveURL(paths.office());
  await page.goto(paths.adminReports());
  await expect(entry).toContainText(REPORT_REASONS.abusive);
  await expect(entry).toContainText('Insults a colleague.');
  await expect(page.getByRole('main')).not.toContainText(/Castellanos|Lindqvist|@curbside/);
  const remove = entry.getByRole('button', { name: 'Remove review' });
  await remove.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove review' });
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await dialog.getByRole('button', { name: 'Remove review' }).click();
  await expect(dialog.getByText('Please give a reason')).toBeVisible();
  await expect(dialog.getByText('Please choose a rule')).toBeVisible();
  await dialog.getByLabel('Rule').selectOption('patients');
  await expectValues(dialog, { Reason: REVIEW_RULES.patients.reason });
  await dialog.getByLabel('Reason').fill('Insults are not reviews.');
  await dialog.getByLabel('Rule').selectOption('abuse');
  await page.route('**/api/admin/reviews/**', refuse(500), { times: 1 });
  await dialog.getByRole('button', { name: 'Remove review' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Server error. Please try again later.');
  await expectValues(dialog, { Reason: 'Insults are not reviews.' });
  await press(dialog, 'Remove review');
  await expect(page.getByText('The review has been removed.')).toBeVisible();
  await expect(entry).toHaveCount(0);

  expect(await statusOf(server, review)).toBe(404);
  const own = await ownReviewsOf(server, DEMO.doctor);
  expect(own.find(({ id }) => id === review.id)?.removed_reason).toBe('Insults are not reviews.');

  await follow(page, 'Removed reviews', paths.adminReports({ show: 'removed' }));
  await expect(entry).toContainText('Insults are not reviews.');
  await entry.getByRole('button', { name: 'Restore review' }).click();
  await page.getByRole('dialog').getByLabel('Rule').selectOption('general');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore review' }).click();
  await expect(page.getByText('The review has been restored.')).toBeVisible();
  await expect(entry).toHaveCount(0);
  expect(await statusOf(server, review)).toBe(200);
});

test("keeps a review; rejects a decision after someone else's", async ({ page, server }) => {
  const kept = await openReported(page, server);
  await press(kept.entry, 'Keep review');
  await page.getByRole('dialog').getByLabel('Rule').selectOption('general');
  await press(page.getByRole('dialog'), 'Keep review');
  await expect(page.getByText('The review stays, and its reports are closed.')).toBeVisible();
  await expect(kept.entry).toHaveCount(0);
  expect(await statusOf(server, kept.review)).toBe(200);

  const { review, entry } = await openReported(page, server);
  await press(entry, 'Remove review');
  const params = { id: review.id };
  await call(server, moderationEndpoints.keep, { as: DEMO.admin, body: {}, params });
  const dialog = page.getByRole('dialog', { name: 'Remove review' });
  await dialog.getByLabel('Rule').selectOption('abuse');
  await dialog.getByLabel('Reason').fill('Insults are not reviews.');
  await dialog.getByRole('button', { name: 'Remove review' }).click();
  const lost = dialog.getByRole('alert');
  await expect(lost).toContainText('This case has already been decided.');
  await expect(lost).toContainText('Kept a review · ');
  expect(await statusOf(server, review)).toBe(200);
});

test('can only restore or remove a hidden review', LONG, async ({ page, server }) => {
  await page.route(REPORTS_CALL, async (route) => {
    const response = await route.fetch();
    const listed = (await response.json()) as { results: ModeratedReview[] };
    for (const { review } of listed.results) review.removed_reason = 'A moderator looks at it.';
    await route.fulfill({ response, json: listed });
  });
  const { entry } = await openReported(page, server);
  await expect(entry).toContainText('Hidden until you decide');
  await expect(entry).toContainText('A moderator looks at it.');
  await expect(entry.getByRole('button', { name: 'Restore review' })).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Keep review' })).toHaveCount(0);
  await expect(page).toBeAccessible();
  await entry.getByRole('button', { name: 'Remove review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove review' });
  await dialog.getByLabel('Rule').selectOption('patients');
  await dialog.getByLabel('Rule').selectOption('general');
  await expectValues(dialog, { Reason: REVIEW_RULES.general.reason });
  await dialog.getByRole('button', { name: 'Remove review' }).click();
  await expect(page.getByText('The review has been removed.')).toBeVisible();
  await expect(entry).toHaveCount(0);
});

test('a decision stands beside its review, which can be scrolled', async ({ page, server }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  const { entry } = await openReported(page, server);
  await press(entry, 'Hide until edited');
  const dialog = page.getByRole('dialog', { name: 'Hide until edited' });
  const { x } = sure(await dialog.boundingBox());
  const review = sure(await entry.boundingBox());
  expect(review.x + review.width).toBeLessThan(x);
  await expect(page).toBeAccessible('light', 'dark');
  const top = await page.evaluate(() => window.scrollY);
  await page.mouse.move(review.x + 50, 300);
  await page.mouse.click(review.x + 50, 300);
  await page.mouse.wheel(0, top > 0 ? -100 : 100);
  await expect.poll(() => page.evaluate(() => window.scrollY)).not.toBe(top);
  await expect(dialog).toBeVisible();
});

test(
  'says that there is nothing to do, or that loading failed',
  LONG,
  async ({ page, signedIn }) => {
    await signedIn(DEMO.admin);
    await page.route(REPORTS_CALL, (route) => route.fulfill({ json: EMPTY }));
    await page.goto(paths.adminReports());
    await expect(page.getByText('No open reports')).toBeVisible();
    await expect(page).toBeAccessible();
    await page.getByRole('link', { name: 'Removed reviews' }).click();
    await expect(page.getByText('No removed reviews')).toBeVisible();
    await expect(page.getByText('Nothing needs your attention.')).toHaveCount(0);
    await page.unroute(REPORTS_CALL);
    await page.route(REPORTS_CALL, refuse(500));
    await page.getByRole('link', { name: 'Open reports' }).click();
    const failed = 'Failed to load reports: Server error. Please try again later.';
    await expect(page.getByRole('alert')).toHaveText(failed);
  },
);
