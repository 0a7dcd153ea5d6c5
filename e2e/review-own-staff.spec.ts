import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO } from './account.ts';
import { expect, test } from './fixtures.ts';

test('an administrator sees no error on the pages of own reviews', async ({ page, signedIn }) => {
  await signedIn(DEMO.admin);
  for (const path of [paths.dashboard(), paths.myReviews()]) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByText(REVIEW_MESSAGES.ownForbidden)).toBeVisible();
    const office = main.getByRole('link', { name: 'Go to the office' });
    await expect(office).toHaveAttribute('href', paths.office());
    await expect(main.getByRole('alert')).toHaveCount(0);
    await expect(main.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await expect(main.getByRole('link', { name: 'Write a review' })).toHaveCount(0);
    await expect(page).toBeAccessible();
  }
});
