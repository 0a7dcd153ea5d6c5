import type { Page } from '@playwright/test';
import { doctorDecisionEndpoints, doctorEndpoints } from '#contract/endpoints/office.ts';
import type { StaffDoctor } from '#contract/office/case-queue.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, newDetails, PHONE, signIn, signUp, sure, tokensFor } from './account.ts';
import { expect, officeTest as test } from './fixtures.ts';
import { expectTexts, expectValues, fill, press } from './forms.ts';
import { evictedDoctor, openCases } from './office-stock.ts';
import { atSizes, sideways } from './widths.ts';

test.describe.configure({ mode: 'default' });

const choice = (page: Page) => page.getByLabel('What to do');

/** Fills in and sends the form of a decision, and confirms it where that is needed. */
async function decide(page: Page, label: string, reason: string): Promise<void> {
  await choice(page).selectOption({ label });
  await page.getByLabel('Reason').last().fill(reason);
  if (/Refuse|Evict/.test(label))
    await page.getByLabel('Text for the doctor').selectOption('unproven');
  await page.getByRole('button', { name: label, exact: true }).click();
  if (!/Evict/.test(label)) return;
  const dialog = page.getByRole('dialog', { name: label });
  await expect(dialog).toContainText('The reviews of the account stay public');
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

test('a verifier asks a doctor for something, and the case waits', async ({ page, server }) => {
  const { email } = await signUp(server, { ...newDetails(), last_name: 'Winterbourne' });
  const names = async () =>
    (await openCases(server, DEMO.admin, 'doctor')).map(({ title }) => title);
  await expect.poll(names).toContain('Ines Winterbourne');
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'doctor' }));
  await page.getByRole('link', { name: 'Ines Winterbourne' }).click();
  await press(page, 'Send');
  await expect(page.getByText('Please choose what to ask for')).toBeVisible();
  await page.getByText('What the texts say').click();
  await expect(page).toBeAccessible();
  await page.getByLabel('What to ask for').selectOption({ label: 'A corrected name' });
  await press(page, 'Send');
  await expectTexts(page, 'Sent. The case waits for an answer.', /asked on .* \(UTC\)/);
  await press(page, 'Send');
  await expect(page.getByText('This person was asked today.')).toBeVisible();
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
  await page.goto(paths.office({ kind: 'doctor' }));
  const row = page.getByRole('listitem').filter({ hasText: 'Ines Winterbourne' });
  await expect(row).toContainText('Waits for an answer');
  await expect(page).toBeAccessible();

  await signIn(page, server, email, paths.verificationRequired());
  await expectTexts(page, /^Your name differs from the one in the NPI registry/);
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
  await expect(page).toBeAccessible();
  await page.goto(paths.profile());
  await press(page, /^Edit/);
  await fill(page, { 'First Name': 'Ignatia' });
  await press(page, /^Save/);
  await expect(
    page
      .getByRole('main')
      .getByText(/Ignatia/)
      .first(),
  ).toBeVisible();
  await page.goto(paths.verificationRequired());
  await expect(page.getByText('What happens next')).toBeVisible();
  await expect(page.getByText(/^Your name differs from the one/)).toHaveCount(0);

  await signIn(page, server, DEMO.admin, paths.office({ kind: 'doctor' }));
  await page.getByRole('link', { name: 'Ignatia Winterbourne' }).click();
  await expect(page.getByText('The person has done something since.')).toBeVisible();
});

test('offers every decision about a doctor, even without a case', async ({ page, server }) => {
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'doctor' }));
  await page.getByRole('link', { name: 'Theo Lindqvist' }).click();
  await expectTexts(page, 'Theodor Lindstrom', 'Name in the registry');
  await expect(page).toBeAccessible();
  await expect(choice(page).getByRole('option')).toHaveText([
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
  await choice(page).selectOption({ label: 'Deny posting' });
  await expect(page.getByText('Also refuses to verify the doctor.')).toBeVisible();
  await page.getByLabel('Text for the doctor').selectOption('unproven');
  await page.getByLabel('Reason').fill('A forged badge.');
  // An interrupted form keeps what was typed, also where a choice shows a field.
  await page.reload();
  await expect(page.getByLabel('Text for the doctor')).toHaveValue('unproven');
  await expectValues(page, { 'What to do': 'deny_posting', Reason: 'A forged badge.' });
  await page.getByRole('link', { name: 'All accounts with this NPI' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Doctors' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Theo Lindqvist' })).toBeVisible();
  await expect(page).toBeAccessible();

  const isDone = (text: string) => expect(page.getByText(text).first()).toBeVisible();
  const find = async (npi: string) => {
    await page.getByRole('textbox', { name: 'NPI' }).fill(npi);
    await press(page, 'Find');
  };
  const fact = (term: string) =>
    page.getByRole('term').filter({ hasText: term }).locator('xpath=following-sibling::dd[1]');
  await decide(page, 'Verify', 'Showed a badge.');
  await isDone('The doctor is verified.');
  await expect(fact('Verified')).toHaveText('Yes');
  await decide(page, 'Allow posting', 'Asked for it.');
  await isDone('The doctor may post once verified.');
  await expect(fact('May post')).toHaveText('Yes');
  await choice(page).selectOption({ label: 'Deny posting' });
  await expect(page.getByText('The doctor stays verified, but may not post.')).toBeVisible();
  await expect(page.getByText('The doctor may not post.')).toHaveCount(0);
  await expect(page.getByLabel('Text for the doctor')).toHaveCount(0);
  await decide(page, 'Deny posting', 'Spam.');
  await isDone('The doctor may not post.');
  await expect(fact('May post')).toHaveText('No');
  // A verifier's decision is a proof, which an office of one cannot take back.
  await decide(page, 'Refuse to verify', 'A forged badge.');
  await isDone('this office does not have two.');
  await expect(fact('Verified')).toHaveText('Yes');

  await find(sure((await tokensFor(server, DEMO.readonly)).doctor).npi);
  await expect(page.getByRole('heading', { name: 'Theo Lindqvist' })).toHaveCount(0);
  await expect(page.getByText('This NPI is banned')).toHaveCount(0);
  await decide(page, 'Evict and ban the NPI', 'Paid reviews.');
  await isDone('The doctor is banned.');
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
  await signIn(page, server, DEMO.admin, paths.adminDoctors({ npi: doctor.npi }));
  await decide(page, 'Evict', 'Not the person.');
  const dialog = page.getByRole('dialog', { name: 'Evict' });
  await expect(dialog.getByRole('alert')).toHaveText('It has changed.');
  await press(dialog, 'Cancel');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await press(page, 'Evict');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
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
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'eviction' }));
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('n');
  await decide(page, 'Evict', 'Not the person.');
  await expect(page.getByText('The account has been evicted.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible();
});
