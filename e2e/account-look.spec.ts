import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import {
  DEMO,
  DESKTOP,
  logIn,
  newDetails,
  newResetLink,
  PHONE,
  signIn,
  signUp,
} from './account.ts';
import { expect, test } from './fixtures.ts';
import type { TestServer } from './server.ts';
import { sideways } from './widths.ts';

type State = [name: string, show: (page: Page, server: TestServer) => Promise<void>];

async function toCodeStep(page: Page): Promise<void> {
  const details = newDetails();
  await page.goto(paths.signup());
  await page.getByLabel('Email').fill(details.email);
  await page.getByLabel('First name').fill(details.first_name);
  await page.getByLabel('Last name').fill(details.last_name);
  await page.getByLabel('NPI Number').fill(details.npi);
  await page.getByLabel('Password', { exact: true }).fill(details.password);
  await page.getByLabel('Confirm password').fill(details.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Verification code is required')).toBeVisible();
}

const SIGNED_OUT: readonly State[] = [
  [
    'login, expired and rejected',
    async (page) => {
      await page.goto(paths.login({ expired: true }));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await logIn(page, newDetails().email, 'x');
      await expect(page.getByRole('alert')).toBeVisible();
    },
  ],
  [
    'sign-up with errors',
    async (page) => {
      await page.goto(paths.signup());
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByLabel('Password', { exact: true }).fill('abc');
      await page.getByLabel('Confirm password').fill('abd');
      await expect(page.getByText('Passwords must match.')).toBeVisible();
    },
  ],
  ['sign-up, second step', toCodeStep],
  [
    'forgotten password, sent',
    async (page) => {
      await page.goto(paths.forgotPassword());
      await page.getByLabel('Email').fill(newDetails().email);
      await page.getByRole('button', { name: 'Send Reset Email' }).click();
      await expect(page.getByText('Password reset email sent!')).toBeVisible();
    },
  ],
  [
    'reset, invalid',
    async (page) => {
      await page.goto(paths.passwordReset());
      await expect(page.getByRole('heading', { name: 'Invalid Reset Link' })).toBeVisible();
    },
  ],
  [
    'reset, form',
    async (page, server) => {
      const { email } = await signUp(server);
      await page.goto(await newResetLink(server, email));
      await page.getByLabel('New password', { exact: true }).fill('Abc');
      await expect(page.getByRole('button', { name: 'Reset Password' })).toBeDisabled();
    },
  ],
  [
    'verification, signed out',
    async (page) => {
      await page.goto(paths.verificationRequired());
      await expect(page.getByText('Not on file')).toBeVisible();
    },
  ],
  [
    'a link from an email',
    async (page) => {
      await page.goto('/confirm-email');
      await expect(page.getByRole('alert')).toBeVisible();
    },
  ],
];

const SIGNED_IN: readonly State[] = [
  [
    'profile',
    async (page) => {
      await page.goto(paths.profile());
      await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
    },
  ],
  [
    'profile, edited',
    async (page) => {
      await page.getByRole('button', { name: 'Edit Profile' }).click();
      await expect(page.getByLabel('First Name')).toBeFocused();
    },
  ],
  [
    'password change, with errors',
    async (page) => {
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('New password', { exact: true }).fill('Abc');
      await page.getByLabel('Confirm new password').fill('Abd');
      await expect(page.getByText('Password is required')).toHaveCount(1);
      await expect(page.getByText('Passwords do not match.')).toBeVisible();
    },
  ],
  [
    'account deletion',
    async (page) => {
      await page.getByRole('button', { name: 'Delete my account' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await expect(dialog.getByText('Password is required')).toBeVisible();
    },
  ],
  [
    'verification',
    async (page) => {
      await page.goto(paths.verificationRequired());
      await expect(page.getByText('Unverified')).toBeVisible();
    },
  ],
];

for (const [device, viewport, colorScheme] of [
  ['a phone', PHONE, 'dark'],
  ['a desktop', DESKTOP, 'light'],
] as const) {
  test.describe(`on ${device}, in ${colorScheme} mode`, () => {
    test.use({ viewport, colorScheme });

    for (const [name, show] of SIGNED_OUT) {
      test(`${name}: accessible and within the width`, async ({
        page,
        server,
        expectAccessible,
      }) => {
        await show(page, server);
        await expectAccessible();
        expect(await sideways(page)).toBe(0);
      });
    }

    test('signed in, one state after another: accessible and within the width', async ({
      page,
      server,
      expectAccessible,
    }) => {
      await signIn(page, server, DEMO.pending);
      for (const [name, show] of SIGNED_IN) {
        await test.step(name, async () => {
          await show(page, server);
          await expectAccessible();
          expect(await sideways(page)).toBe(0);
        });
      }
    });

    test('the profile of a verified doctor is within the width at double text size', async ({
      page,
      server,
    }) => {
      await signIn(page, server, DEMO.doctor);
      await page.goto(paths.profile());
      await expect(page.getByText('Verified', { exact: true })).toBeVisible();
      await page.evaluate(async () => {
        document.documentElement.style.fontSize = '200%';
        await document.fonts.ready;
      });
      expect(await sideways(page)).toBe(0);
    });
  });
}
