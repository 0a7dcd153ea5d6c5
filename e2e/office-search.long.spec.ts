import { CASE_SEARCH_MESSAGES } from '#contract/cases.ts';
import { QUEUE_INTERVAL_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, signIn } from './account.ts';
import { expect, officeTest as test } from './fixtures.ts';
import { follow, press } from './forms.ts';
import * as stock from './office-stock.ts';
import { newReview } from './review.ts';
import { atSizes } from './widths.ts';

test.describe.configure({ mode: 'default' });

test('finds by employer or review, no doctor', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const title = 'Nocturnist';
  const review = await stock.reportedReview(server, { position_title: title });
  await stock.submittedEmployer(server, 'Fernhill Clinic');
  await signIn(page, server, DEMO.admin, paths.office());
  const box = page.getByRole('search').getByLabel('Search the cases');
  const rows = page.getByRole('region', { name: 'Queue' }).locator('ol > li');
  await box.fill('fernhill');
  await box.press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Fernhill Clinic');
  await expect(page).toHaveURL(/search=fernhill/);
  await expect(box).toHaveValue('fernhill');
  await expect(page).toBeAccessible('light', 'dark');
  await box.fill(server.url + paths.review(review.id));
  await press(page, 'Find');
  await expect(rows).toContainText(title);
  await page.getByRole('link', { name: title }).click();
  const file = page.getByRole('region', { name: 'Case' });
  const back = file.getByRole('link', { name: 'Queue', exact: true });
  await atSizes(page, [PHONE, DESKTOP], () => expect(back).toBeVisible());
  await back.click();
  await expect(rows).toHaveCount(1);

  // What names a doctor is not even sent.
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  for (const [text, why] of [
    [DEMO.doctor, CASE_SEARCH_MESSAGES.email],
    ['NPI 1234567893', CASE_SEARCH_MESSAGES.npi],
  ] as const) {
    await box.fill(text);
    await press(page, 'Find');
    await expect(page.getByText(why)).toBeVisible();
    await expect(box).toBeFocused();
  }
  await expect(page).toBeAccessible('light', 'dark');
  await page.clock.install();
  await page.goto(paths.office({ search: DEMO.doctor }));
  await expect(page.getByText(CASE_SEARCH_MESSAGES.email)).toBeVisible();
  await expect(page.getByText('No matching cases')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Reported review \([1-9]/ })).toBeVisible();
  await page.clock.fastForward(QUEUE_INTERVAL_MS);
  await page.getByRole('link', { name: 'Show all', exact: true }).click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  const searches = sent.filter((url) => /\/api\/admin\/.*[?&]search=/.test(url));
  expect(searches).toEqual([]);
});

test('a review without an open case is one press away', async ({ page, server }) => {
  const review = await newReview(server, { position_title: 'Searched Hospitalist' });
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ search: server.url + paths.review(review.id) }));
  await follow(page, 'Open in the office', paths.adminReview(review.id));
  await expect(page.getByRole('main')).toContainText('Searched Hospitalist');
});

test('the daily email is off until it is turned on', async ({ page, server }) => {
  await signIn(page, server, DEMO.admin, paths.admin('security'));
  const box = page.getByRole('checkbox', { name: 'Email me once a day what waits for me' });
  await expect(box).not.toBeChecked();
  await box.click();
  await expect(box).toBeChecked();
  await page.setViewportSize(PHONE);
  await expect(page).toBeAccessible('light', 'dark');
  await page.reload();
  await expect(box).toBeChecked();
  await box.click();
  await expect(box).not.toBeChecked();
});
