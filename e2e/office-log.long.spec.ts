import { readFile } from 'node:fs/promises';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { follow, press } from './forms.ts';
import { newStaff, reportedReview } from './office-stock.ts';

/** Separate, because adding staff ends the office of one, which other files need. */
const test = testApart();

test('an auditor reads the log by kind and month, nobody else does', async ({ page, server }) => {
  test.slow();
  const auditor = await newStaff(server, ['auditor']);
  const { id, review_text } = await reportedReview(server);
  const body = { reason: 'Names a nurse.', rule: 'private_persons' } as const;
  await call(server, moderationEndpoints.remove, { as: DEMO.admin, body, params: { id } });

  await signIn(page, server, auditor, paths.office());
  const office = page.getByRole('navigation', { name: 'Office' });
  await expect(office.getByRole('link')).toHaveText(['Queue', 'Log', 'Office security']);
  await expect(page.getByText('0 cases to decide')).toBeVisible();
  await follow(office, 'Log', paths.log());
  const removed = page.getByRole('listitem').filter({ hasText: 'Removed a review' });
  const added = page.getByRole('heading', { name: 'Added a staff member' });
  await expect(removed).toContainText('Rule: Names and contact details');
  await expect(removed).toContainText('Found by: A report');
  const link = removed.getByRole('link', { name: `Review ${id.slice(0, 8)}`, exact: true });
  await expect(link).toHaveAttribute('href', paths.review(id));
  await expect(added).toBeVisible();
  // It does not show what readers did or what the author was told.
  await expect(page.getByRole('main')).not.toContainText(/Castellanos|insults|nurse/);

  const day = await removed.getByText(/^\w+ \d+, \d{4}$/).textContent();
  const month = String(day).replace(/ \d+,/, '');
  const filters = page.getByRole('navigation', { name: 'Filters' });
  await follow(filters, 'Reviews', paths.log({ kind: 'reviews' }));
  await expect(added).toHaveCount(0);
  await expect(removed).toBeVisible();
  await expect(page).toBeAccessible('light', 'dark');
  const months = filters.getByRole('list', { name: 'Month' }).getByRole('link');
  await months.last().click();
  await expect(page.getByText('No log entries')).toBeVisible();
  await expect(page).toHaveURL(/kind=reviews&month=\d{4}-\d{2}$/);
  await months.filter({ hasText: month }).click();
  await expect(removed).toBeVisible();

  const about = page.getByLabel('About a review or an employer');
  for (const typed of ['/about', '/employers/bad', '/reviews/12']) {
    await about.fill(typed);
    await press(page, 'Find');
    await expect(page.getByText('Must be the address of a review or an employer')).toBeVisible();
    await expect(about).toHaveValue(typed);
  }
  await about.fill(`https://curbside.example${paths.review(id)}`);
  await press(page, 'Find');
  await expect(page).toHaveURL(new RegExp(`review=${id}$`));
  await expect(removed).toBeVisible();
  // The log itself has no texts.
  const text = page.getByRole('region', { name: 'What was removed' });
  await expect(text).toContainText(review_text);
  await expect(page).toBeAccessible('light', 'dark');
  await expect(page.getByRole('listitem').filter({ hasText: 'a review' })).toHaveCount(1);
  await removed.getByRole('link', { name: /only what they did/ }).click();
  const active = page.getByRole('list', { name: 'Active filters' });
  await expect(active.getByRole('link')).toHaveCount(2);
  await expect(page).toBeAccessible('light', 'dark');
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download as CSV')]);
  expect(file.suggestedFilename()).toBe('curbside-log.csv');
  const [head = '', row = '', ...others] = (await readFile(await file.path(), 'utf8')).split(
    '\r\n',
  );
  expect(head).toMatch(/^day,staff,staff_id,act,about,/);
  expect(row).toContain(`review.remove,review,${id},`);
  expect(others).toEqual(['']);
  await active.getByRole('link', { name: /Review/ }).click();
  await expect(active.getByRole('link')).toHaveCount(1);

  // Other staff learn whose page it is.
  const moderator = await newStaff(server, ['moderator']);
  await signIn(page, server, moderator, paths.office());
  await expect(office.getByRole('link', { name: 'Reported reviews' })).toBeVisible();
  await expect(office.getByRole('link', { name: 'Log' })).toHaveCount(0);
  await page.goto(paths.log());
  await expect(page.getByText('This is for the role of auditor.')).toBeVisible();
});
