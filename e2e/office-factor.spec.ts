import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { factorEndpoints } from '#contract/endpoints/office.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, headersOf, PHONE, signIn, wrongFor } from './account.ts';
import { expect, LONG, officeTest as test } from './fixtures.ts';
import { press } from './forms.ts';

test.describe.configure({ mode: 'default' });

const SET_UP = 'Set up an authenticator app';
const STEP_MS = 30_000;

/** The code of a time step. The server also accepts those before and after the current one. */
const codeAt = (secret: string, step: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * STEP_MS });

const stepNow = () => Math.floor(Date.now() / STEP_MS);

/** A code that is wrong for the next minutes. */
function wrongOf(secret: string): string {
  const right = Array.from({ length: 9 }, (_, at) => codeAt(secret, stepNow() + at - 2));
  return right.map(wrongFor).find((code) => !right.includes(code)) ?? '';
}

test('sets up a second factor, signs in again, and enters a code', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const redirect = asRedirect(paths.office({ kind: 'legal' }));
  await signIn(page, server, DEMO.admin, paths.admin('security', { redirect }));
  const onward = page.getByRole('link', { name: 'Continue to the office' });
  await expect(onward).toHaveAttribute('href', paths.office({ kind: 'legal' }));
  await press(page, SET_UP);
  const picture = page.getByRole('img', { name: 'QR code of the key below' });
  await expect(picture).toBeVisible();
  await expect(page).toBeAccessible('light', 'dark');
  // Dark on light even in the dark theme, which is on now.
  await expect(picture).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(picture).toHaveCSS('color', 'rgb(0, 0, 0)');
  const key = await page.locator('p', { hasText: /^Key/ }).locator('.font-code').textContent();
  const secret = (key ?? '').replaceAll(' ', '');
  await page.getByRole('textbox', { name: 'Code' }).fill(wrongOf(secret));
  await press(page, 'Confirm');
  await expect(page.getByText('This code is wrong, or has been used.')).toBeVisible();
  const first = stepNow();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, first));
  await press(page, 'Confirm');
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeFocused();
  const codes = await page.getByRole('main').getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await expect(page).toBeAccessible('light', 'dark');
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();

  // Signing in does not ask for a code. Opening the office does.
  await signIn(page, server, DEMO.admin, paths.admin('staff'));
  const dialog = page.getByRole('dialog', { name: 'Authenticator code' });
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await expect(page).toBeAccessible('light', 'dark');
  await page.setViewportSize(DESKTOP);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(wrongOf(secret));
  await press(dialog, 'Continue');
  await expect(dialog.getByText('This code is wrong, or has been used.')).toBeVisible();
  await dialog
    .getByRole('textbox', { name: 'Code' })
    .fill(codeAt(secret, Math.max(first + 1, stepNow())));
  await press(dialog, 'Continue');
  await expect(page.getByRole('heading', { name: 'Staff', level: 1 })).toBeVisible();
  await expect(page).toBeAccessible('light', 'dark');
  await page.setViewportSize(PHONE);

  // A sensitive action after the pass has expired, as it does after 12 hours. The form keeps its
  // values.
  await page.context().clearCookies({ name: 'office_pass' });
  await page.getByRole('button', { name: 'Change roles' }).click();
  const roles = page.getByRole('dialog', { name: 'Change roles' });
  await roles.getByLabel('Auditor').check();
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const needed = 'Enter the code from your authenticator app to continue.';
  await expect(roles.getByRole('alert')).toHaveText(needed);
  await expect(roles.getByLabel('Auditor')).toBeChecked();
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The roles of Rowan Abernathy have been changed.')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Auditor');

  await page.getByRole('link', { name: 'Office security' }).click();
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible();
  await expect(page).toBeAccessible();
  await removeFactor(page);
});

/** So that other files find the administrator without one. */
async function removeFactor(page: Page): Promise<void> {
  await press(page, 'Remove authenticator app');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: SET_UP })).toBeVisible();
}

test('warns about wrong codes someone else entered', LONG, async ({ page, server }) => {
  const as = await headersOf(server, DEMO.admin);
  const { begin, confirm, enter } = factorEndpoints;
  const { secret, setup } = await call(server, begin, { as, body: {} });
  const code = codeAt(secret, stepNow());
  const { recovery_codes: codes } = await call(server, confirm, { as, body: { setup, code } });
  for (const guess of ['AAAAA-AAAAA', 'BBBBB-BBBBB']) {
    await expect(call(server, enter, { as, body: { code: guess } })).rejects.toThrow('400');
  }
  await signIn(page, server, DEMO.admin, paths.admin('security'));
  await expect(page.getByText('2 wrong codes since your last visit')).toBeVisible();
  await expect(page).toBeAccessible();
  await page.goto(paths.admin('staff'));
  const dialog = page.getByRole('dialog', { name: 'Authenticator code' });
  // An empty field does not count as a wrong code.
  for (let clicks = 0; clicks < 2; clicks += 1) {
    const answered = page.waitForResponse(/\/factor\/enter\//);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await answered;
    await expect(dialog.getByText('Code is required')).toBeVisible();
  }
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const warning = page.getByRole('dialog', { name: 'Wrong codes' });
  await expect(warning).toContainText('If that was not you, someone knows your password.');
  await expect(warning.getByRole('link', { name: 'Change it.' })).toBeVisible();
  await expect(page).toBeAccessible();
  await press(warning, 'Continue');
  await expect(page.getByRole('heading', { name: 'Staff', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Office security' }).click();
  await removeFactor(page);
});
