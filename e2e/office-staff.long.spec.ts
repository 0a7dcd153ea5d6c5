import { paths } from '#web/lib/paths.ts';
import { DEMO, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { newStaff } from './office-stock.ts';

/** Separate, because adding staff takes roles from the demo's administrator. */
const test = testApart();

test('lists roles that nobody holds, and reappoints former staff', async ({ page, server }) => {
  const email = await newStaff(server, ['owner']);
  await signIn(page, server, DEMO.admin, paths.admin('staff'));
  const notice = page.getByText('Nobody is a verifier: 1 case waits.');
  await expect(notice).toBeVisible();
  await expect(page.getByText('Nobody is a moderator')).toHaveCount(0);
  const member = page.getByRole('listitem').filter({ hasText: email });
  await member.getByRole('button', { name: 'Remove from staff' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from staff' }).click();
  await expect(page.getByText('The account is no longer one of staff.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Former staff' })).toBeVisible();
  await expect(page).toBeAccessible();
  await member.getByRole('button', { name: 'Appoint again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Appoint again' });
  await dialog.getByLabel('Verifier').check();
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByText('The roles of Bea Example have been changed.')).toBeVisible();
  await expect(member).toContainText('Verifier');
  await expect(page.getByRole('heading', { name: 'Former staff' })).toHaveCount(0);
  await expect(notice).toHaveCount(0);

  // She knows who the doctors are now.
  await member.getByRole('button', { name: 'Change roles' }).click();
  const change = page.getByRole('dialog', { name: 'Change roles' });
  await change.getByLabel('Verifier').uncheck();
  await change.getByLabel('Moderator').check();
  await change.getByRole('button', { name: 'Save roles' }).click();
  const alert = change.getByRole('alert');
  const waits =
    'A former verifier can become a moderator or an auditor only after 30 days, and vice versa.';
  await expect(alert).toHaveText(waits);
  await change.getByRole('button', { name: 'Cancel' }).click();

  await newStaff(server, ['owner']);
  const own = page.getByRole('listitem').filter({ hasText: DEMO.admin });
  await own.getByRole('button', { name: 'Change roles' }).click();
  await change.getByLabel('Auditor').check();
  await change.getByRole('button', { name: 'Save roles' }).click();
  await expect(alert).toHaveText('You cannot change your own roles. Ask another owner.');
});

test('an owner who leaves the staff goes to the dashboard', async ({ page, server }) => {
  const email = await newStaff(server, ['owner']);
  await signIn(page, server, email, paths.admin('staff'));
  const own = page.getByRole('listitem').filter({ hasText: email });
  await own.getByRole('button', { name: 'Remove from staff' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from staff' }).click();
  await expect(page).toHaveURL(paths.dashboard());
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(paths.office());
  await expect(page.getByRole('heading', { name: 'This page does not exist.' })).toBeVisible();
});
