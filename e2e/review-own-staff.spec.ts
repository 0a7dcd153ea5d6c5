import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, signIn } from './account.ts';
import { expect, test } from './fixtures.ts';

for (const path of [paths.dashboard(), paths.myReviews()]) {
  test(`an administrator who is not a doctor sees no error on ${path}`, async ({
    page,
    server,
    expectAccessible,
  }) => {
    await signIn(page, server, DEMO.admin);
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByText(REVIEW_MESSAGES.ownForbidden)).toBeVisible();
    await expect(main.getByRole('link', { name: 'Go to the office' })).toHaveAttribute(
      'href',
      paths.office(),
    );
    await expect(main.getByRole('alert')).toHaveCount(0);
    await expect(main.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await expect(main.getByRole('link', { name: 'Write a review' })).toHaveCount(0);
    await expectAccessible();
  });
}
