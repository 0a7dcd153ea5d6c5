import type { StaffDoctor } from '#contract/case-queue.ts';
import { doctorDecisionEndpoints, doctorEndpoints } from '#contract/endpoints/office.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, signIn, tokensFor } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { evictedDoctor } from './office-stock.ts';
import { atSizes } from './widths.ts';

/** Separate, because its decisions about the demo's doctors would affect other tests. */
const test = testApart();

test('offers every decision about a doctor by name, even without a case', async ({
  page,
  server,
}) => {
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'doctor' }));
  await page.getByRole('link', { name: 'Theo Lindqvist' }).click();
  const choice = page.getByLabel('What to do');
  await expect(choice.getByRole('option')).toHaveText([
    'Verify',
    'Refuse to verify',
    'Allow posting',
    'Deny posting',
    'Evict',
    'Evict and ban the NPI',
  ]);
  await page.getByRole('link', { name: 'All accounts with this NPI' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Doctors' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Theo Lindqvist' })).toBeVisible();
  await atSizes(page, [PHONE, DESKTOP], () => expect(page).toBeAccessible());

  const decide = async (label: string, reason: string, done: string) => {
    await choice.selectOption({ label });
    await page.getByLabel('Reason').last().fill(reason);
    await page.getByRole('button', { name: label, exact: true }).click();
    await expect(page.getByText(done).first()).toBeVisible();
  };
  const fact = (term: string) =>
    page.getByRole('term').filter({ hasText: term }).locator('xpath=following-sibling::dd[1]');
  await decide('Verify', 'Showed a badge.', 'The doctor is verified.');
  await expect(fact('Verified')).toHaveText('Yes');
  await decide('Allow posting', 'Asked for it.', 'The doctor may post once verified.');
  await expect(fact('May post')).toHaveText('Yes');
  await decide('Deny posting', 'Spam.', 'The doctor may not post.');
  await expect(fact('May post')).toHaveText('No');
  // A verifier's decision is a proof, which an office of one cannot take back.
  await decide('Refuse to verify', 'A forged badge.', 'this office does not have two.');
  await expect(fact('Verified')).toHaveText('Yes');

  const { doctor } = await tokensFor(server, DEMO.readonly);
  await page.getByRole('textbox', { name: 'NPI' }).fill(doctor?.npi ?? '');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('heading', { name: 'Theo Lindqvist' })).toHaveCount(0);
  await expect(page.getByText('This NPI is banned')).toHaveCount(0);
  await decide('Evict and ban the NPI', 'Paid reviews.', 'The doctor is banned.');
  await expect(fact('Verified')).toHaveText('No');
  const ban = page.getByRole('region', { name: 'Ban' });
  await expect(ban).toContainText('This NPI is banned. No account can be verified with it, except');
  await expect(page).toBeAccessible();
  await ban.getByRole('button', { name: 'Lift the ban' }).click();
  await expect(ban.getByText('Please give a reason')).toBeVisible();
  await ban.getByLabel('Reason').fill('A mistake.');
  await ban.getByRole('button', { name: 'Lift the ban' }).click();
  await expect(page.getByText('The ban is lifted.')).toBeVisible();
  await expect(ban).toHaveCount(0);

  await page.getByRole('textbox', { name: 'NPI' }).fill('123');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('NPI must be exactly 10 digits')).toBeVisible();
  await page.getByRole('textbox', { name: 'NPI' }).fill('1000000004');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('No account has this NPI.')).toBeVisible();
});

test('a decision that waits for a second verifier says who decided first, when, and why', async ({
  page,
  server,
}) => {
  const { doctor } = await tokensFor(server, DEMO.doctor);
  if (!doctor) throw new Error('the demo account is a doctor');
  const first = { by: 'Ida Marsh', decided_on: '2026-03-04', reason: 'A letter.' };
  const shown: StaffDoctor = { ...doctor, first_decisions: [] };
  await page.route(`**/api${doctorEndpoints.find.path}*`, (route) =>
    route.fulfill({ json: { is_banned: false, results: [shown] } }),
  );
  await page.route(
    `**/api${doctorDecisionEndpoints.evict.path.replace(':id', doctor.user.id)}`,
    (route) => {
      shown.first_decisions = [{ ...first, decision: 'evict' }];
      return route.fulfill({ json: shown });
    },
  );
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.adminDoctors({ npi: doctor.npi }));
  await page.getByLabel('What to do').selectOption({ label: 'Evict' });
  await page.getByLabel('Reason').fill('Not the person.');
  await page.getByRole('button', { name: 'Evict', exact: true }).click();
  const confirm = 'Another verifier must confirm it on another day (UTC).';
  await expect(page.getByText(`Recorded. ${confirm}`)).toBeVisible();
  await expect(page.getByText(/^Evict: decided first/)).toHaveText(
    `Evict: decided first by Ida Marsh on March 4, 2026. ${confirm}`,
  );
  await expect(page.getByText('Reason: A letter.')).toBeVisible();
  await expect(page.getByRole('option', { name: 'Leave as it is' })).toBeAttached();
  await atSizes(page, [PHONE, DESKTOP], () => expect(page).toBeAccessible());
});

test('evicting a doctor in a case decides the case and returns to the queue', async ({
  page,
  server,
}) => {
  await evictedDoctor(server);
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office({ kind: 'eviction' }));
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('n');
  await page.getByLabel('What to do').selectOption({ label: 'Evict' });
  await page.getByLabel('Reason').fill('Not the person.');
  await page.getByRole('button', { name: 'Evict', exact: true }).click();
  await expect(page.getByText('The account has been evicted.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible();
});
