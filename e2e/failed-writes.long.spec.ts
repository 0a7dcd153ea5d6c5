import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, hold, PASSWORD } from './account.ts';
import { expect, test } from './fixtures.ts';
import { button, dialog, press } from './forms.ts';
import { newEmployer, newReview } from './review.ts';
import { openAuthor } from './review-lock.ts';

const TYPED = 'What I typed';

test('an offline report keeps its note everywhere', async ({ page, server, context, signedIn }) => {
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

test('leaving while the account is being deleted removes the drafts', async ({ page, server }) => {
  await openAuthor(page, server);
  await page.goto(paths.dashboard());
  await page.evaluate(() => localStorage.setItem('curbside_draft:someone:x', '{}'));
  await page.getByRole('link', { name: 'My account' }).first().click();
  await press(page, 'Delete my account');
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
