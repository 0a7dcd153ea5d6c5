import { Secret, TOTP } from 'otpauth';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';

/** Separate, because it gives the demo's administrator a second factor. */
const test = testApart();

const STEP_MS = 30_000;

/** A code for a later time step, because the current one may have been used. */
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MS,
  });

test('sets up a second factor, signs in again, and enters a code', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.admin('security'));
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' });
  await begin.click();
  await expect(page.getByRole('img', { name: 'QR code of the key below' })).toBeVisible();
  await expect(page).toBeAccessible('light', 'dark');
  await page.setViewportSize(DESKTOP);
  const key = await page.locator('p', { hasText: /^Key/ }).locator('.font-code').textContent();
  const secret = (key ?? '').replaceAll(' ', '');
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This code is wrong, or has been used.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, -1));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeFocused();
  const codes = await page.getByRole('main').getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await expect(page).toBeAccessible('light', 'dark');
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();

  // Signing in does not ask for a code. Opening the office does.
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.admin('staff'));
  const dialog = page.getByRole('dialog', { name: 'Authenticator code' });
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await expect(page).toBeAccessible('light', 'dark');
  await page.setViewportSize(DESKTOP);
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This code is wrong, or has been used.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 0));
  await dialog.getByRole('button', { name: 'Continue' }).click();
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
  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(begin).toBeVisible();
});
