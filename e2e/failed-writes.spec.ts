import { accountEndpoints } from '#contract/endpoints/account.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { apiPath, paths } from '#web/lib/paths.ts';
import { DEMO, hold, PASSWORD, signIn } from './account.ts';
import { expect, test } from './fixtures.ts';
import { anEmployer, headersOf, newEmployer, postReview, reviewOf } from './review.ts';
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
}) => {
  const review = await postReview(server, DEMO.doctor, reviewOf(await anEmployer(server)));
  const path = apiPath(feedbackEndpoints.report, { params: { id: review.id } });
  await fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { ...(await headersOf(server, DEMO.pending)), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'abusive' }),
  });
  await signIn(page, server, DEMO.admin);
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

test.describe('reporting a review without a connection keeps the note', () => {
  for (const on of ['the list', 'its employer', 'its own page'] as const) {
    test(`on ${on}`, async ({ page, server, context }) => {
      const review_text = `Reported offline on ${on}.`;
      const review = await postReview(
        server,
        DEMO.doctor,
        reviewOf(await newEmployer(server), { review_text }),
      );
      await signIn(page, server, DEMO.pending);
      await page.goto(
        {
          'the list': paths.reviews({ search: review.employer.name }),
          'its employer': paths.employer(review.employer.id),
          'its own page': paths.review(review.id),
        }[on],
      );
      const card = page.getByRole('article').filter({ hasText: review_text });
      await card.getByRole('button', { name: 'Report' }).click();
      await dialog(page).getByRole('radio').first().check();
      await dialog(page).getByRole('textbox').fill(TYPED);
      await context.setOffline(true);
      await button(page, 'Send report').click();
      await expect(dialog(page).getByRole('alert')).toBeVisible();
      await expect(dialog(page).getByRole('textbox')).toHaveValue(TYPED);
    });
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
