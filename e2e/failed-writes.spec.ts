import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, hold, PASSWORD } from './account.ts';
import { expect, test } from './fixtures.ts';
import { reportedReview } from './office-stock.ts';
import { newEmployer, newReview } from './review.ts';
import { button, dialog, openAuthor, toCode } from './review-lock.ts';

const TYPED = 'What I typed';

test('locking reviews without a connection keeps the dialog and says to keep the code', async ({
  page,
  server,
  context,
}) => {
  await openAuthor(page, server);
  const code = await toCode(page, 'Lock my reviews');
  await button(page, 'I saved the code').click();
  await dialog(page).getByLabel('Recovery code').fill(code);
  await dialog(page).getByLabel('Current password').fill(PASSWORD);
  await context.setOffline(true);
  await button(page, 'Lock my reviews').click();
  await expect(dialog(page).getByRole('alert')).toContainText('Keep your recovery code');
});

test('removing a review without a connection keeps the reason', async ({
  page,
  server,
  context,
  signedIn,
}) => {
  await reportedReview(server);
  await signedIn(DEMO.admin);
  await page.goto(paths.adminReports());
  await page.getByRole('button', { name: 'Remove review' }).first().click();
  await dialog(page).getByLabel('Reason').fill(TYPED);
  await context.setOffline(true);
  await button(page, 'Remove review').click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expect(dialog(page).getByLabel('Reason')).toHaveValue(TYPED);
});

test('deleting a review without a connection says that it failed', async ({
  page,
  server,
  context,
}) => {
  await openAuthor(page, server);
  await page.goto(paths.myReviews());
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await context.setOffline(true);
  await button(page, 'Delete').click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
});

test('reporting a review without a connection keeps the note, wherever the review is shown', async ({
  page,
  server,
  context,
  signedIn,
}) => {
  const { id, employer } = await newReview(server, {}, { at: await newEmployer(server) });
  await signedIn(DEMO.pending);
  const inList = paths.reviews({ search: employer.name });
  for (const path of [inList, paths.employer(employer.id), paths.review(id)]) {
    await page.goto(path);
    await page.getByRole('article').getByRole('button', { name: 'Report' }).click();
    await dialog(page).getByRole('radio').first().check();
    await dialog(page).getByRole('textbox').fill(TYPED);
    await context.setOffline(true);
    await button(page, 'Send report').click();
    await expect(dialog(page).getByRole('alert')).toBeVisible();
    await expect(dialog(page).getByRole('textbox')).toHaveValue(TYPED);
    await context.setOffline(false);
  }
});

test('leaving the page while the account is being deleted removes the drafts', async ({
  page,
  server,
}) => {
  await openAuthor(page, server);
  await page.goto(paths.dashboard());
  await page.evaluate(() => localStorage.setItem('curbside_draft:someone:x', '{}'));
  await page.getByRole('link', { name: 'My account' }).first().click();
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await dialog(page).getByLabel('Delete them now').check();
  await dialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  const { release } = await hold(page, `**/api${accountEndpoints.delete.path}`);
  await button(page, 'Delete account').click();
  await expect(button(page, 'Deleting...')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(paths.dashboard());
  release();
  // The deletion signs out, which loads another page in the meantime.
  await page.waitForFunction(() => localStorage.getItem('curbside_draft:someone:x') === null);
});
