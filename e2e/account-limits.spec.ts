import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import { logIn, newDetails, PASSWORD, refuse } from './account.ts';
import { expect, test } from './fixtures.ts';

const REFUSAL = 'Rate limit exceeded. Please try again in 60 seconds.';
/** The server's answer (server/rate-limits/rate-limits.ts). */
const tooOften = refuse(
  429,
  { code: 'rate_limited', detail: REFUSAL, message: REFUSAL, error: REFUSAL },
  { 'retry-after': '60' },
);

test('a login over the limit says when to retry and keeps what the user typed', async ({
  page,
}) => {
  await page.goto(paths.login());
  await page.route(`**/api${sessionEndpoints.login.path}`, tooOften);
  const { email } = newDetails();
  await logIn(page, email, PASSWORD);
  await expect(page.getByRole('alert')).toHaveText(REFUSAL);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
});

test('a sign-up and a code over the limit do the same', async ({ page, expectAccessible }) => {
  const details = newDetails();
  await page.goto(paths.signup());
  const fields = {
    Email: details.email,
    'First name': details.first_name,
    'Last name': details.last_name,
    'NPI Number': details.npi,
    Password: details.password,
    'Confirm password': details.password,
  };
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  const registerCall = `**/api${sessionEndpoints.register.path}`;
  await page.route(registerCall, tooOften);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('alert')).toHaveText(REFUSAL);
  for (const [label, value] of Object.entries(fields)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  }

  await page.unroute(registerCall);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Verification code sent to your email address')).toBeVisible();
  await page.route(registerCall, tooOften);
  const code = page.getByLabel('Verification code');
  await code.fill('123456');
  await page.getByRole('button', { name: /^Verify/ }).click();
  await expect(page.getByRole('alert')).toHaveText(REFUSAL);
  await expect(code).toHaveValue('123456');
  await expectAccessible();
});
