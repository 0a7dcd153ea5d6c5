import { paths } from '#web/lib/paths.ts';
import { DEMO, signIn } from './account.ts';
import { expect, officeTest as test } from './fixtures.ts';
import { press } from './forms.ts';
import { reportedReview, submittedEmployer } from './office-stock.ts';

test.describe.configure({ mode: 'default' });

const REPORT = { reason: 'private_details', note: 'Names a patient.' } as const;

test('works through the queue with the keyboard', async ({ page, server }) => {
  for (const _ of [1, 2]) await reportedReview(server, {}, REPORT);
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'report', priority: 1 }));
  await expect(page.getByRole('heading', { name: 'Office' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toBeAccessible();
  await page.keyboard.press('n');
  const region = page.getByRole('region', { name: 'Case' });
  await expect(region).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  const first = await page.getByRole('heading', { level: 1 }).textContent();
  await expect(region).toContainText('Names a patient.');
  await expect(region).not.toContainText(/Castellanos|Lindqvist|@curbside/);
  const alike = page.getByRole('region', { name: 'Of the same employer' });
  await expect(alike).toContainText('Open cases of this kind');
  await page.keyboard.press('c');
  await expect(page.getByText(/^Claimed by you until/)).toBeVisible();
  await expect(page).toBeAccessible();
  await page.keyboard.press('d');
  const remove = page.getByRole('button', { name: 'Remove review' });
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Rule').selectOption('patients');
  // In a field, the queue's shortcut keys are letters.
  await dialog.getByLabel('Reason').pressSequentially('Names a patient, cannot stay.');
  await dialog.getByRole('button', { name: 'Remove review' }).press('Enter');
  await expect(page.getByText('The review has been removed.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(first ?? '');
  await expect(page).toHaveURL(/kind=report/);
  await expect(alike.getByRole('listitem').filter({ hasText: /Removed/ })).toContainText(
    'Patients',
  );
});

test('keeps a submitted employer, or merges it after a preview', async ({ page, server }) => {
  const name = `Lakeside ${Date.now()} Clinic`;
  await submittedEmployer(server, name);
  await submittedEmployer(server, `${name} North`);
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'employer' }));
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page).toBeAccessible();
  await page.getByRole('button', { name: `Merge into this ${name} North` }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge employers' });
  const preview = `Links to it will lead to ${name} North, and 0 reviews will move there.`;
  await expect(dialog).toContainText(preview);
  await dialog.getByLabel('Reason').fill('The same clinic.');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText(`Merged. 0 reviews moved to ${name} North.`)).toBeVisible();
  await page.goto(paths.office({ kind: 'employer' }));
  await page.getByRole('link', { name: `${name} North` }).click();
  await press(page, 'Keep as a new employer');
  await expect(page.getByText(`${name} North stays in the directory.`)).toBeVisible();
});
