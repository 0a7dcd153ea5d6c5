import type { StaffDoctor } from '#contract/case-queue.ts';
import { doctorDecisionEndpoints, doctorEndpoints } from '#contract/endpoints/office.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, signIn, sure, tokensFor } from './account.ts';
import { expect, officeTest as test } from './fixtures.ts';
import { expectTexts, fill, press } from './forms.ts';
import { evictedDoctor } from './office-stock.ts';

test.describe.configure({ mode: 'default' });

test('offers every decision about a doctor, even without a case', async ({ page, server }) => {
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'doctor' }));
  await page.getByRole('link', { name: 'Theo Lindqvist' }).click();
  await expectTexts(page, 'Theodor Lindstrom', 'Name in the registry');
  await expect(page).toBeAccessible();
  const choice = page.getByLabel('What to do');
  await expect(choice.getByRole('option')).toHaveText([
    'Choose a decision',
    'Verify',
    'Refuse to verify',
    'Allow posting',
    'Deny posting',
    'Evict',
    'Evict and ban the NPI',
  ]);
  await press(page, 'Decide');
  await expect(page.getByText('Please choose what to do')).toBeVisible();
  await expect(page.getByText('Please give a reason')).toBeVisible();
  // It also refuses to verify, so the doctor is told why.
  await choice.selectOption({ label: 'Deny posting' });
  await expect(page.getByText('Also refuses to verify the doctor.')).toBeVisible();
  await expect(page.getByLabel('Text for the doctor')).toBeVisible();
  await page.getByRole('link', { name: 'All accounts with this NPI' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Doctors' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Theo Lindqvist' })).toBeVisible();
  await expect(page).toBeAccessible();

  const decide = async (label: string, reason: string, done: string) => {
    await choice.selectOption({ label });
    await page.getByLabel('Reason').last().fill(reason);
    const text = page.getByLabel('Text for the doctor');
    if (await text.isVisible()) await text.selectOption('unproven');
    await page.getByRole('button', { name: label, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: label });
    if (/Evict/.test(label)) {
      await expect(dialog).toContainText('The reviews of the account stay public');
      await expect(page).toBeAccessible();
      await dialog.getByRole('button', { name: label, exact: true }).click();
    }
    await expect(page.getByText(done).first()).toBeVisible();
  };
  const find = async (npi: string) => {
    await page.getByRole('textbox', { name: 'NPI' }).fill(npi);
    await press(page, 'Find');
  };
  const fact = (term: string) =>
    page.getByRole('term').filter({ hasText: term }).locator('xpath=following-sibling::dd[1]');
  await decide('Verify', 'Showed a badge.', 'The doctor is verified.');
  await expect(fact('Verified')).toHaveText('Yes');
  await decide('Allow posting', 'Asked for it.', 'The doctor may post once verified.');
  await expect(fact('May post')).toHaveText('Yes');
  await choice.selectOption({ label: 'Deny posting' });
  await expect(page.getByText('The doctor stays verified, but may not post.')).toBeVisible();
  await expect(page.getByLabel('Text for the doctor')).toHaveCount(0);
  await decide('Deny posting', 'Spam.', 'The doctor may not post.');
  await expect(fact('May post')).toHaveText('No');
  // A verifier's decision is a proof, which an office of one cannot take back.
  await decide('Refuse to verify', 'A forged badge.', 'this office does not have two.');
  await expect(fact('Verified')).toHaveText('Yes');

  await find(sure((await tokensFor(server, DEMO.readonly)).doctor).npi);
  await expect(page.getByRole('heading', { name: 'Theo Lindqvist' })).toHaveCount(0);
  await expect(page.getByText('This NPI is banned')).toHaveCount(0);
  await decide('Evict and ban the NPI', 'Paid reviews.', 'The doctor is banned.');
  await expect(fact('Verified')).toHaveText('No');
  const ban = page.getByRole('region', { name: 'Ban' });
  await expect(ban).toContainText('This NPI is banned. No account can be verified with it, except');
  await expect(page).toBeAccessible();
  await press(ban, 'Lift the ban');
  await expect(ban.getByText('Please give a reason')).toBeVisible();
  await fill(ban, { Reason: 'A mistake.' });
  await press(ban, 'Lift the ban');
  await expect(page.getByText('The ban is lifted.')).toBeVisible();
  await expect(ban).toHaveCount(0);

  await find('123');
  await expect(page.getByText('NPI must be exactly 10 digits')).toBeVisible();
  await find('1000000004');
  await expect(page.getByText('No account has this NPI.')).toBeVisible();
});

test('a decision that waits says who decided first, when, and why', async ({ page, server }) => {
  const doctor = sure((await tokensFor(server, DEMO.doctor)).doctor);
  const first = { by: 'Ida Marsh', decided_on: '2026-03-04', reason: 'A letter.' };
  const shown: StaffDoctor = { ...doctor, first_decisions: [], version: 'read' };
  await page.route(`**/api${doctorEndpoints.find.path}*`, (route) =>
    route.fulfill({ json: { is_banned: false, results: [shown] } }),
  );
  const read: unknown[] = [];
  await page.route(
    `**/api${doctorDecisionEndpoints.evict.path.replace(':id', doctor.user.id)}`,
    (route) => {
      read.push(route.request().postDataJSON().version);
      if (read.length === 1) {
        shown.version = 'read again';
        const json = { code: 'changed_meanwhile', message: 'It has changed.' };
        return route.fulfill({ status: 409, json });
      }
      shown.first_decisions = [{ ...first, decision: 'evict' }];
      return route.fulfill({ json: shown });
    },
  );
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.adminDoctors({ npi: doctor.npi }));
  await page.getByLabel('What to do').selectOption({ label: 'Evict' });
  await page.getByLabel('Text for the doctor').selectOption('unproven');
  await page.getByLabel('Reason').fill('Not the person.');
  await page.getByRole('button', { name: 'Evict', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Evict' });
  await press(dialog, 'Evict');
  await expect(dialog.getByRole('alert')).toHaveText('It has changed.');
  await press(dialog, 'Evict');
  const confirm = 'Another verifier must confirm it on another day (UTC).';
  await expect(page.getByText(`Recorded. ${confirm}`)).toBeVisible();
  expect(read).toEqual(['read', 'read again']);
  await expect(page.getByText(/^Evict: decided first/)).toHaveText(
    `Evict: decided first by Ida Marsh on March 4, 2026. ${confirm}`,
  );
  await expect(page.getByText('Reason: A letter.')).toBeVisible();
  await expect(page.getByRole('option', { name: 'Leave as it is' })).toBeAttached();
  await expect(page).toBeAccessible();
});

test('evicting a doctor decides the case and returns to the queue', async ({ page, server }) => {
  await evictedDoctor(server);
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'eviction' }));
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('n');
  await page.getByLabel('What to do').selectOption({ label: 'Evict' });
  await page.getByLabel('Text for the doctor').selectOption('unproven');
  await page.getByLabel('Reason').fill('Not the person.');
  await page.getByRole('button', { name: 'Evict', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Evict', exact: true }).click();
  await expect(page.getByText('The account has been evicted.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible();
});
