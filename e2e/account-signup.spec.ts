import type { Page } from '@playwright/test';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import {
  accessToken,
  codeFor,
  expectFailures,
  fillInSignup,
  hold,
  mailText,
  newDetails,
  newId,
  OFTEN,
  PHONE,
  refuse,
  signUp,
  signupFields,
  TOO_OFTEN,
  TOO_OFTEN_TEXT,
  toCodeStep,
  wrongFor,
} from './account.ts';
import { expect, test } from './fixtures.ts';
import { expectValues, follow, press } from './forms.ts';
import { openLive } from './hydration.ts';
import { registeredPhysician } from './review.ts';

const REGISTER_CALL = `**/api${sessionEndpoints.register.path}`;

const submit = (page: Page) => press(page, 'Sign up');

/** Asserts what the screen says about a failed call, one over the limit, and a lost network. */
const expectRefusals = (page: Page, send: () => Promise<void>, failed: string) =>
  expectFailures(page, REGISTER_CALL, send, [
    [refuse(502), failed],
    [TOO_OFTEN, TOO_OFTEN_TEXT],
    [(route) => route.abort(), 'Network error. Please try again.'],
  ]);

test('the details are checked: missing ones, the NPI, password rules', async ({ page }) => {
  await page.goto(paths.register());
  await submit(page);
  for (const field of ['Email', 'First name', 'Last name', 'NPI Number', 'Password'])
    await expect(page.getByText(`${field} is required`)).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();

  await fillInSignup(page, { ...newDetails(), npi: '123456789' });
  await submit(page);
  await expect(page.getByText('NPI must be exactly 10 digits')).toBeVisible();
  // Playwright types at the beginning of a field that does not have the focus yet.
  await page.getByLabel('NPI Number').press('End');
  await page.getByLabel('NPI Number').pressSequentially('0123');
  await expect(page.getByLabel('NPI Number')).toHaveValue('1234567890');
  await expect(page.getByText('NPI must be exactly 10 digits')).toBeHidden();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [copied, pasted] of [
    [' 232-877\u00a05939\u200b', '2328775939'],
    ['23287759391', '23287759391'],
  ] as const) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
    await page.getByLabel('NPI Number').selectText();
    await page.keyboard.press('ControlOrMeta+V');
    await expect(page.getByLabel('NPI Number')).toHaveValue(pasted);
  }
  await expect(page.getByText('NPI must be exactly 10 digits')).toBeVisible();

  const button = page.getByRole('button', { name: 'Sign up' });
  await expect(button).toBeEnabled();
  await page.getByLabel('Confirm password').fill('Other-1234');
  await expect(page.getByText('Passwords must match.')).toBeVisible();
  await expect(button).toBeDisabled();

  const rule = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  const rules = ['8 characters', 'uppercase', 'lowercase', 'number', 'symbol'];
  const password = page.getByLabel('Password', { exact: true });
  for (const [typed, met] of [
    ['', []],
    ['abc', [2]],
    ['ABC', [1]],
    ['12345678', [0, 3]],
    ['Abc-1234', [0, 1, 2, 3, 4]],
  ] as const) {
    await password.fill(typed);
    for (const [at, text] of rules.entries()) {
      const isMet = (met as readonly number[]).includes(at);
      const state = isMet ? /^Met:/ : /^Not met:/;
      await expect(rule(text)).toContainText(state);
    }
  }
  await expect(password).toHaveAttribute('autocomplete', 'new-password');

  // A broken rule has its whole message, once the form has been sent.
  const message = page.getByText(/^Password must/);
  await expect(message).toHaveCount(0);
  await password.fill('Abcdefgh1');
  await expect(message).toHaveText('Password must contain at least one special character');
});

test('an NPI that is too short says so as soon as the field is left', async ({ page }) => {
  await openLive(page, paths.signup(), PHONE);
  const npi = page.getByLabel('NPI Number');
  const error = page.getByText('NPI must be exactly 10 digits');
  await npi.focus();
  await page.keyboard.press('Tab');
  await expect(npi).not.toBeFocused();
  await npi.fill('123');
  await expect(error).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(error).toBeVisible();
  await expect(npi).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toBeAccessible('light', 'dark');
  await npi.fill('2328775939');
  await expect(error).toHaveCount(0);
});

test('the details warns about a work address before sending mail', async ({ page, server }) => {
  const email = `${newId()}@mail.halvorsen-pike.example`;
  const details = { ...newDetails(), email };
  await openLive(page, paths.signup());
  await fillInSignup(page, details);
  const warning = page.getByText('This looks like a work address.');
  await expect(warning).toBeVisible();
  await page.getByLabel('Email').fill('someone@mail.example');
  await page.getByLabel('First name').focus();
  await expect(warning).toBeHidden();

  await page.getByLabel('Email').fill(details.email);
  // With the keyboard, so the field still has the focus when the form is sent.
  await page.getByLabel('Email').press('Enter');
  await expect(warning).toBeVisible();
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText('Verification code sent to your email address')).toBeVisible();
  await expect.poll(() => server.mailTo(details.email), OFTEN).toHaveLength(1);
});

test("the details shows the server's errors and keeps what the user typed", async ({ page }) => {
  await page.goto(paths.signup());
  // Only the server checks the last digit of an NPI.
  const details = newDetails();
  const npi = details.npi.slice(0, 9) + ((Number(details.npi[9]) + 1) % 10);
  await fillInSignup(page, { ...details, npi });
  await submit(page);
  await expect(page.getByRole('alert')).toHaveText('Please enter a valid NPI number');
  const field = page.getByLabel('NPI Number');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/Please enter a valid NPI number$/);

  await expectRefusals(page, () => submit(page), 'Signup failed. Please try again.');
  await expectValues(page, signupFields({ ...details, npi }));
});

test.describe('the code', () => {
  test('signs up, signs in, and redirects', async ({ page, server }) => {
    await page.setViewportSize(PHONE);
    await page.goto(paths.signup({ redirect: 'profile' }));
    const details = newDetails();
    await fillInSignup(page, details);
    const { release } = await hold(page, REGISTER_CALL);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible();
    release();
    await expect(page.getByText('Verification code sent to your email address')).toBeVisible();
    const field = page.getByLabel('Verification code');
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(field).toHaveAttribute('inputmode', 'numeric');

    const code = await codeFor(server, details.email);
    // As pasted from an email.
    await field.evaluate(
      (input, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', text);
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
        document.execCommand('insertText', false, text);
      },
      ` ${code.slice(0, 3)} ${code.slice(3)} `,
    );
    await press(page, 'Verify');
    await expect(page).toHaveURL(paths.profile());
    await expect(page.getByText(details.email)).toBeVisible();
    const news = page.getByText('Your email is confirmed, and you are not verified yet.');
    await expect(news).toBeVisible();
    await expect(page).toBeAccessible('light', 'dark');
    await follow(page, 'See the checks', paths.verificationRequired());
    await expect(news).toHaveCount(0);
    expect(await accessToken(page)).not.toBeNull();
  });

  test('says that the registry has verified the doctor', async ({ page, server }) => {
    await page.setViewportSize(PHONE);
    const { email } = await toCodeStep(page, await registeredPhysician(server));
    await page.getByLabel('Verification code').fill(await codeFor(server, email));
    await press(page, 'Verify');
    await expect(page).toHaveURL(paths.dashboard());
    const news = page.getByText('Your email is confirmed, and you are verified.');
    await expect(news).toBeInViewport();
    await page.goto(paths.verificationRequired());
    await expect(page.getByRole('heading', { name: 'You are verified' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
    await expect(news).toHaveCount(0);
  });

  test('is required, has six digits, and must be correct', async ({ page, server }) => {
    const { email } = await toCodeStep(page);
    const wrong = wrongFor(await codeFor(server, email));
    const verify = page.getByRole('button', { name: 'Verify' });
    await verify.click();
    await expect(page.getByText('Verification code is required')).toBeVisible();
    for (const typed of ['12345', '1234567', 'abcdef']) {
      await page.getByLabel('Verification code').fill(typed);
      await verify.click();
      await expect(page.getByText('Please enter a valid 6-digit code')).toBeVisible();
    }
    await page.getByLabel('Verification code').fill(wrong);
    await verify.click();
    await expect(page.getByRole('alert')).toHaveText('Invalid or expired verification code.');
    await expectRefusals(page, () => verify.click(), 'Verification failed. Please try again.');
    await expect(page.getByLabel('Verification code')).toHaveValue(wrong);
    await expect(page).toBeAccessible();
  });

  test('can be sent again, or the page says why not', async ({ page, server }) => {
    const { email } = await toCodeStep(page);
    const first = await codeFor(server, email);
    const resend = page.getByRole('button', { name: 'Resend code' });
    await expectRefusals(page, () => resend.click(), 'Failed to resend code. Please try again.');
    await resend.click();
    await expect(page.getByText('New verification code sent to your email')).toBeVisible();
    await expect(page.getByText('Verification code sent to your email address')).toBeHidden();
    await expect.poll(async () => (await server.mailTo(email)).length, OFTEN).toBe(2);
    const second = await codeFor(server, email);
    // The first code is no longer valid, unless the second one is the same.
    if (first !== second) {
      await page.getByLabel('Verification code').fill(first);
      await press(page, 'Verify');
      await expect(page.getByRole('alert')).toHaveText('Invalid or expired verification code.');
    }
    await page.getByLabel('Verification code').fill(second);
    await press(page, 'Verify');
    await expect(page).toHaveURL(paths.dashboard());
  });

  test('has its own place in the history', async ({ page, server }) => {
    const { email } = await toCodeStep(page);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join Curbside');
    await expectValues(page, { Email: '' });
    await page.goForward();
    await page.getByLabel('Verification code').fill(await codeFor(server, email));
    await press(page, 'Verify');
    await expect(page).toHaveURL(paths.dashboard());
  });

  test('tells only its owner that an address has an account', async ({ page, server }) => {
    const { email } = await signUp(server);
    await toCodeStep(page, { ...newDetails(), email });
    await mailText(server, email, /already have an account/);

    await press(page, 'Verify');
    await page.getByRole('button', { name: 'Back to signup' }).click();
    await expect(page.getByLabel('Email')).toBeFocused();
    for (const label of Object.keys(signupFields(newDetails())))
      await expectValues(page, { [label]: '' });
    await expect(page.getByText(/Verification code/)).toBeHidden();
    await expect(page.getByRole('alert')).toBeHidden();
  });
});
