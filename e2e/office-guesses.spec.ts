import { Secret, TOTP } from 'otpauth';
import { factorEndpoints } from '#contract/endpoints/staff.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, headersOf, PHONE, signIn } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { atSizes } from './widths.ts';

/** Separate, because it gives the demo's administrator a second factor. */
const test = testApart();

test('warns about wrong codes that someone else entered', async ({ page, server }) => {
  const as = await headersOf(server, DEMO.admin);
  const { begin, confirm, enter } = factorEndpoints;
  const { secret, setup } = await call(server, begin, { as, body: {} });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { recovery_codes: codes } = await call(server, confirm, { as, body: { setup, code } });
  for (const guess of ['AAAAA-AAAAA', 'BBBBB-BBBBB']) {
    await expect(call(server, enter, { as, body: { code: guess } })).rejects.toThrow('400');
  }
  await signIn(page, server, DEMO.admin);
  await page.goto(paths.admin('security'));
  await expect(page.getByText('2 wrong codes since your last visit')).toBeVisible();
  await atSizes(page, [PHONE, DESKTOP], () => expect(page).toBeAccessible());
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
  await warning.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Staff', level: 1 })).toBeVisible();
});
