import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { reportedReview, submittedEmployer } from './office-stock.ts';
import { atSizes } from './widths.ts';

// Separate, because its decisions about the demo's accounts would affect the tests of other files.
const test = testApart();

const REPORT = { reason: 'private_details', note: 'Names a patient.' } as const;

test('works through the queue with the keyboard', async ({ page, server }) => {
  for (const _ of [1, 2]) await reportedReview(server, {}, REPORT);
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'report', priority: 1 }));
  await expect(page.getByRole('heading', { name: 'Office' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await atSizes(page, [PHONE, DESKTOP], () => expect(page).toBeAccessible());
  await page.keyboard.press('n');
  const region = page.getByRole('region', { name: 'Case' });
  await expect(region).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  const first = await page.getByRole('heading', { level: 1 }).textContent();
  await expect(region).toContainText('Names a patient.');
  await expect(region).not.toContainText(/Castellanos|Lindqvist|@curbside/);
  await page.keyboard.press('c');
  await expect(page.getByText(/^Claimed by you until/)).toBeVisible();
  await atSizes(page, [PHONE, DESKTOP], () => expect(page).toBeAccessible());
  await page.keyboard.press('d');
  const remove = page.getByRole('button', { name: 'Remove review' });
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  // In a field, the queue's shortcut keys are letters.
  await dialog.getByLabel('Reason').pressSequentially('Names a patient, cannot stay.');
  await dialog.getByRole('button', { name: 'Remove review' }).press('Enter');
  await expect(page.getByText('The review has been removed.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(first ?? '');
  await expect(page).toHaveURL(/kind=report/);
});

test('keeps a submitted employer, or merges it with a preview of what moves', async ({
  page,
  server,
}) => {
  const name = `Lakeside ${Date.now()} Clinic`;
  await submittedEmployer(server, name);
  await submittedEmployer(server, `${name} North`);
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'employer' }));
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
  await page.getByRole('button', { name: 'Keep as a new employer' }).click();
  await expect(page.getByText(`${name} North stays in the directory.`)).toBeVisible();
});

test('a verifier compares a waiting doctor with the registry’s answer', async ({
  page,
  server,
}) => {
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'doctor' }));
  await page.getByRole('link', { name: 'Theo Lindqvist' }).click();
  await expect(page.getByText('Theodor Lindstrom')).toBeVisible();
  await expect(page.getByText('Name in the registry')).toBeVisible();
  await expect(page).toBeAccessible();
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Please give a reason')).toBeVisible();
  await page.getByLabel('Reason').fill('Showed a badge.');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('The doctor is verified.')).toBeVisible();
});
