import { paths } from '#web/lib/paths.ts';
import { DEMO, draftKeys, PHONE, refuse, sendExpired, signIn, sure } from './account.ts';
import { expect, test } from './fixtures.ts';
import { follow, press } from './forms.ts';
import { hiddenReview } from './office-stock.ts';
import { ownReviewsOf } from './review.ts';

const RULE = 'Names and contact details';

const NAMES = { reason: 'It names a colleague.', rule: 'private_persons' } as const;
const NAMING = { review_text: 'The chief, Dr. Example, never came.' };

test('the author reads the decision, appeals, and gets an answer', async ({ page, server }) => {
  const { email, id } = await hiddenReview(server, 'remove', NAMES, NAMING);
  await page.setViewportSize(PHONE);
  await signIn(page, server, email, paths.dashboard());
  const main = page.getByRole('main');
  await expect(main).toContainText('Removed by a moderator. Only you can see this review.');
  await expect(main).toContainText('Reason: It names a colleague.');
  await expect(main).toContainText(/You can appeal once, until \w+ \d+, \d{4} \(UTC\)\./);
  await expect(main.getByRole('link', { name: /^(Edit|View)/ })).toHaveCount(0);
  // The link of a second review of the same job leads there.
  await page.goto(paths.editReview(id));
  await expect(main.getByRole('alert')).toContainText('This review was removed by a moderator');
  await expect(page).toBeAccessible();
  await follow(main, 'Go to my dashboard', paths.dashboard());
  const rule = main.getByRole('link', { name: RULE });
  await expect(rule).toHaveAttribute('href', paths.guidelines('rule-private-persons'));
  const opener = main.getByRole('button', { name: 'Appeal this decision' });
  await opener.click();
  await main.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(opener).toBeFocused();
  await opener.press('Enter');
  const field = main.getByLabel('Your appeal');
  await expect(field).toBeFocused();
  await expect(page).toBeAccessible('light', 'dark');
  await main.getByRole('button', { name: 'Send appeal' }).click();
  await expect(main.getByText('Please say why the decision is wrong')).toBeVisible();
  await field.fill('I named nobody.');
  await page.route('**/api/reviews/*/appeal/', refuse(500), { times: 1 });
  await main.getByRole('button', { name: 'Send appeal' }).click();
  await expect(main.getByRole('alert')).toContainText('Server error. Please try again later.');
  await expect(field).toHaveValue('I named nobody.');
  await main.getByRole('button', { name: 'Send appeal' }).click();
  await expect(main.getByText('Your appeal is waiting for a moderator.')).toBeFocused();
  await expect(opener).toHaveCount(0);

  await page.context().clearCookies();
  await signIn(page, server, DEMO.admin, paths.adminReports({ show: 'removed' }));
  const entry = main.locator('li').filter({ hasText: 'I named nobody.' }).first();
  await expect(entry).toContainText(RULE);
  await entry.getByRole('button', { name: 'Decide appeal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decide appeal' });
  await dialog.getByLabel('Outcome').selectOption('overturn');
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Decide appeal' }).click();
  await expect(dialog.getByText('Please write an answer')).toBeVisible();
  await page.keyboard.press('Escape');

  // The page of the review names the case of the appeal, too.
  await page.goto(paths.adminReview(id));
  const open = page.getByRole('link', { name: 'Open case: appeal' });
  const path = sure(await open.getAttribute('href'));
  await page.getByRole('button', { name: 'Decide appeal' }).click();
  await dialog.getByLabel('Outcome').selectOption('overturn');
  await dialog.getByLabel('Answer').fill('You are right, and we are sorry.');
  const sent = page.waitForRequest('**/api/admin/reviews/*/appeal/');
  await dialog.getByRole('button', { name: 'Decide appeal' }).click();
  expect(path).toBe(paths.case((await sent).postDataJSON().case_id));
  await expect(page.getByText('The appeal succeeded. The review is public again.')).toBeVisible();

  expect(await ownReviewsOf(server, email)).toMatchObject([{ id, removed_reason: null }]);
  await signIn(page, server, email, paths.dashboard());
  await expect(main).toContainText('Your appeal succeeded. This review is public again.');
  await expect(main).toContainText('It was removed for this reason: It names a colleague.');
  await expect(main).toContainText('You are right, and we are sorry.');
});

test('a typed appeal survives an expired session, until it is sent', async ({ page, server }) => {
  const { email } = await hiddenReview(server, 'remove', NAMES, NAMING);
  await signIn(page, server, email, paths.dashboard());
  const main = page.getByRole('main');
  const field = main.getByLabel('Your appeal');
  await press(main, 'Appeal this decision');
  await field.fill('I named nobody.');
  await sendExpired(page, server, email, () => press(main, 'Send appeal'));
  await press(main, 'Appeal this decision');
  await expect(field).toHaveValue('I named nobody.');
  await press(main, 'Send appeal');
  await expect(main.getByText('Your appeal is waiting for a moderator.')).toBeVisible();
  expect(await draftKeys(page)).toEqual([]);
});

test('a review hidden until edited goes back to the moderators', async ({ page, server }) => {
  const { email, id } = await hiddenReview(server, 'hold', NAMES, NAMING);
  await signIn(page, server, email, paths.dashboard());
  const main = page.getByRole('main');
  await expect(main).toContainText('Hidden by a moderator until you edit it');
  await follow(main, /^Edit/, paths.editReview(id));
  await page.getByLabel('Review Summary *').fill('The chief never came.');
  await page.getByRole('button', { name: 'Update Review' }).click();
  const ownReview = async () => (await ownReviewsOf(server, email))[0];
  await expect.poll(async () => (await ownReview())?.review_text).toBe('The chief never came.');
  const own = await ownReview();
  expect(own).toMatchObject({ removed_reason: 'A moderator is going to look at this review.' });
  expect(own?.decision).toMatchObject({ may_edit: false, appeal_until: null });
  await follow(page, 'Go to my dashboard', paths.dashboard({ updatedReview: true }));
  await page.goto(paths.editReview(id));
  await expect(main.getByRole('alert')).toContainText('A moderator is going to look at this');
});
