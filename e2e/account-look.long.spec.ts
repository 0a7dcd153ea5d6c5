import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import {
  DEMO,
  DESKTOP,
  logIn,
  newDetails,
  newResetLink,
  PHONE,
  signUp,
  toCodeStep,
} from './account.ts';
import { expect, test } from './fixtures.ts';
import { fill, press } from './forms.ts';
import type { TestServer } from './server.ts';
import { atSizes, enlarge, sideways } from './widths.ts';

/** How to show each state. */
type States = Record<string, (page: Page, server: TestServer) => Promise<void>>;

async function codeStepWithError(page: Page): Promise<void> {
  await toCodeStep(page);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Verification code is required')).toBeVisible();
}

const BEFORE_SENDING: States = {
  'sign-up with errors': async (page) => {
    await page.goto(paths.signup());
    await press(page, 'Sign up');
    await fill(page, { Password: 'abc', 'Confirm password': 'abd' });
    await expect(page.getByText('Passwords must match.')).toBeVisible();
  },
  'reset, invalid': async (page) => {
    await page.goto(paths.passwordReset());
    await expect(page.getByRole('heading', { name: 'Invalid Reset Link' })).toBeVisible();
  },
  'reset, form': async (page, server) => {
    const { email } = await signUp(server);
    await page.goto(await newResetLink(server, email));
    await page.getByLabel('New password', { exact: true }).fill('Abc');
    await expect(page.getByRole('button', { name: 'Reset Password' })).toBeDisabled();
  },
  'a link from an email': async (page) => {
    await page.goto('/confirm-email');
    await page.getByRole('button', { name: 'Confirm the new address' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
  },
};

const AFTER_SENDING: States = {
  'login, expired and rejected': async (page) => {
    await page.goto(paths.login({ expired: true }));
    await logIn(page, newDetails().email, 'x');
    await expect(page.getByRole('alert')).toBeVisible();
  },
  'sign-up, second step': codeStepWithError,
  'forgotten password, sent': async (page) => {
    await page.goto(paths.forgotPassword());
    await page.getByLabel('Email').fill(newDetails().email);
    await page.getByRole('button', { name: 'Send Reset Email' }).click();
    await expect(page.getByText('Password reset email sent!')).toBeVisible();
  },
};

const SIGNED_IN: States = {
  profile: async (page) => {
    await page.goto(paths.profile());
    await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  },
  'profile, edited': async (page) => {
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await expect(page.getByLabel('First Name')).toBeFocused();
  },
  'password change, with errors': async (page) => {
    await press(page, 'Change password');
    await press(page, 'Change password');
    await fill(page, { 'New password': 'Abc', 'Confirm new password': 'Abd' });
    await expect(page.getByText('Password is required')).toHaveCount(1);
    await expect(page.getByText('Passwords do not match.')).toBeVisible();
  },
  'account deletion': async (page) => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(dialog.getByText('Password is required')).toBeVisible();
  },
};

test.use({ viewport: PHONE });

const GROUPS: readonly [who: string, email: string | null, states: States][] = [
  ['signed out, before sending', null, BEFORE_SENDING],
  ['signed out, after sending', null, AFTER_SENDING],
  ['signed in', DEMO.pending, SIGNED_IN],
];

for (const [who, email, states] of GROUPS) {
  test(`${who}: each state is accessible and fits`, async ({ page, server, signedIn }) => {
    test.slow();
    if (email) await signedIn(email);
    for (const [name, show] of Object.entries(states)) {
      await test.step(name, async () => {
        await show(page, server);
        await expect(page).toBeAccessible('light', 'dark');
        await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
      });
    }
  });
}

test('the profile of a verified doctor fits at double text size', async ({ page, signedIn }) => {
  await signedIn(DEMO.doctor, paths.profile());
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await enlarge(page);
  await page.evaluate(() => document.fonts.ready);
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
});
