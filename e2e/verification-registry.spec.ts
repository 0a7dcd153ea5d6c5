import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { paths } from '#web/lib/paths.ts';
import { OFTEN, refuse, requestsOf, signIn, signUp } from './account.ts';
import { expect, test } from './fixtures.ts';
import { expectTexts } from './forms.ts';
import { registeredPhysician } from './review.ts';
import { openSteps, shownAs, VERIFICATIONS } from './verification.ts';

const CHECK_PATH = `/api${verificationEndpoints.checkRegistry.path}`;
const CHECK_CALL = `**${CHECK_PATH}`;
const USER_CALL = '**/api/users/**';
const { pending, misnamed, unproven } = VERIFICATIONS;

test("shows the registry's other name, and verifies a correction", async ({ page, server }) => {
  const physician = await registeredPhysician(server);
  const { email } = await signUp(server, { ...physician, first_name: 'Wrong' });
  await signIn(page, server, email, paths.verificationRequired());
  const main = page.getByRole('main');
  await expectTexts(main, 'The two names differ', `Wrong ${physician.last_name}`);
  // The registry has no accents.
  const registered = `${physician.first_name} ${physician.last_name}`
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  await expect(main.getByText(new RegExp(`^${registered}$`, 'i'))).toBeVisible();

  const correct = main.getByRole('button', { name: 'Correct my name' });
  await correct.click();
  const first = main.getByLabel('First name');
  const last = main.getByLabel('Last name');
  await expect(first).toBeFocused();
  await main.getByRole('button', { name: 'Cancel' }).click();
  await expect(correct).toBeFocused();

  await correct.click();
  const save = main.getByRole('button', { name: 'Save and check again' });
  await first.fill('');
  await save.click();
  await expect(first).toHaveAccessibleDescription('First name is required');
  await first.fill(physician.first_name);
  const refusal = refuse(400, { errors: { last_name: ['Not that one'] } });
  await page.route(USER_CALL, refusal, { times: 1 });
  await save.click();
  await expect(last).toHaveAccessibleDescription('Not that one');
  await page.route(USER_CALL, (route) => route.abort(), { times: 1 });
  await save.click();
  const alert = main.locator('form').getByRole('alert');
  await expect(alert).toHaveText('Failed to update profile. Please try again.');
  await expect(first).toHaveValue(physician.first_name);
  await expect(last).toHaveValue(physician.last_name);

  // The server checks a new name by itself.
  const checks = requestsOf(page, (request) => request.url().endsWith(CHECK_PATH));
  await save.click();
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await expect(main.getByText(/^Checked on .+ 20\d\d\. Everything matches\.$/)).toBeFocused();
  expect(checks).toEqual([]);
});

test('a failed check changes nothing; a new one polls for an answer', async ({ page, server }) => {
  await page.clock.install();
  const shown = shownAs(misnamed);
  const doctor = await openSteps(page, server, shown);
  const main = page.getByRole('main');
  const again = main.getByRole('button', { name: 'Check again' });
  await page.route(CHECK_CALL, refuse(429, { detail: 'Too often.' }), { times: 1 });
  await again.click();
  await expect(main.getByRole('alert')).toHaveText('Too often.');
  await page.route(CHECK_CALL, (route) => route.abort(), { times: 1 });
  await again.click();
  await expect(main.getByRole('alert')).toHaveText('Failed to check again. Please try again.');
  await expect(again).toBeFocused();
  await expect(main).toContainText('Last checked on March 4, 2026.');
  await expect(main.getByText('Not passed')).toHaveCount(1);

  await page.route(CHECK_CALL, (route) => {
    shown.doctor.verification = { ...misnamed, status: 'pending' };
    return route.fulfill({ json: doctor() });
  });
  await again.click();
  await expect(main.getByRole('status')).toHaveText('Checking with the registry...');
  await expect(main.getByRole('button', { name: 'Checking...' })).toBeFocused();
  await expect(main.getByText('Not passed')).toHaveCount(1);

  shown.doctor.verification = { ...unproven, checked_on: '2026-05-06' };
  await page.clock.runFor('00:05');
  await expect(main.getByText('Checked on May 6, 2026. Everything matches.')).toBeFocused();
  const name = 'A letter to your practice address';
  await expect(main.getByRole('heading', { name })).toBeVisible();
});

test('stops polling if the registry does not answer', async ({ page, server }) => {
  await page.clock.install();
  await openSteps(page, server, shownAs(pending));
  const status = page.getByRole('main').getByRole('status');
  await expect(status).toHaveText('Checking with the registry...');
  await expect(async () => {
    await page.clock.runFor('00:04');
    expect(await status.textContent()).toMatch(/^The registry has not answered yet/);
  }).toPass(OFTEN);
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
});
