import type { Page } from '@playwright/test';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { refuse } from './account.ts';
import { expect, test } from './fixtures.ts';
import { LETTER, openSteps, RECORDED, shownAs, VERIFICATIONS, VERIFIED } from './verification.ts';

const { unproven, passed } = VERIFICATIONS;
const LETTER_CALL = `**/api${verificationEndpoints.orderLetter.path}`;
const LETTER_CODE_CALL = `**/api${verificationEndpoints.confirmLetter.path}`;
const MAILBOX_CALL = `**/api${verificationEndpoints.mailMailboxCode.path}`;
const MAILBOX_CODE_CALL = `**/api${verificationEndpoints.confirmMailbox.path}`;
const WRONG = 'This code is wrong or has expired.';

const letterIn = (page: Page) =>
  page.getByRole('region', { name: 'A letter to your practice address' });
const mailboxIn = (page: Page) =>
  page.getByRole('region', { name: 'An email address at your institution' });

test('an ordered letter shows only its city', async ({ page, server }) => {
  const shown = shownAs(unproven);
  await openSteps(page, server, shown);
  const letter = letterIn(page);
  const order = letter.getByRole('button', { name: 'Send me a letter' });
  const refusal = refuse(409, { code: 'no_practice_address', detail: 'No address.' });
  await page.route(LETTER_CALL, refusal, { times: 1 });
  await order.click();
  await expect(letter.getByRole('alert')).toHaveText('No address.');

  await page.route(LETTER_CALL, (route) => {
    const waiting = { ...LETTER, state: 'waiting', enter_by: null } as const;
    shown.steps = { ...shown.steps, letter: waiting, letter_from: '2099-04-04' };
    return route.fulfill({ json: shown.steps });
  });
  await order.click();
  const state = letter.getByText(/^Your letter to Portland is waiting to be printed/);
  await expect(state).toContainText('March 5, 2026');
  await expect(letter.locator(':focus')).toContainText('Your letter to Portland');
  await expect(letter.getByRole('alert')).toBeHidden();
  const next = 'You can order a new letter on or after April 4, 2099.';
  await expect(letter.getByText(next)).toBeVisible();
  await expect(letter.getByRole('textbox')).toBeHidden();
});

test('the code of a letter: wrong, last attempt, and right', async ({ page, server }) => {
  const shown = shownAs(unproven, { letter: LETTER, letter_from: '2099-04-04' });
  const doctor = await openSteps(page, server, shown);
  const letter = letterIn(page);
  const code = letter.getByLabel('Code from the letter');
  const confirm = letter.getByRole('button', { name: 'Confirm code' });
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/Please enter the code from the letter/);

  await page.route(LETTER_CODE_CALL, (route) => {
    shown.steps = { ...shown.steps, letter: { ...LETTER, attempts_left: 1 } };
    return refuse(400, { errors: { code: [WRONG] } })(route);
  });
  await code.fill('ABCDE-12345');
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(new RegExp(WRONG));
  await expect(code).toBeFocused();
  await expect(code).toHaveValue('ABCDE-12345');
  await expect(letter).toContainText('You have 1 attempt left.');

  await page.route(LETTER_CODE_CALL, (route) => {
    shown.doctor = { ...VERIFIED, verification: passed };
    shown.steps = { ...shown.steps, letter: null, letter_from: null };
    return route.fulfill({ json: doctor() });
  });
  await confirm.click();
  const main = page.getByRole('main');
  await expect(main.locator(':focus')).toHaveText(RECORDED);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Write a review' })).toBeVisible();
});

test('a new letter can be ordered after one that has expired or has no attempts left', async ({
  page,
  server,
}) => {
  const shown = shownAs(unproven, { letter: { ...LETTER, state: 'expired' } });
  await openSteps(page, server, shown);
  const letter = letterIn(page);
  await expect(letter).toContainText('The code in your letter to Portland has expired.');
  await expect(letter.getByRole('textbox')).toBeHidden();
  await expect(letter.getByRole('button', { name: 'Send me a new letter' })).toBeVisible();

  shown.steps = { ...shown.steps, letter: { ...LETTER, state: 'no_attempts_left' } };
  await page.reload();
  const used = 'You have no attempts left for the code in your letter to Portland.';
  await expect(letter).toContainText(used);
  await expect(letter.getByRole('textbox')).toBeHidden();
  await expect(letter.getByRole('button', { name: 'Send me a new letter' })).toBeVisible();
});

test('a mailbox: a warning, an unlisted address, a wrong code, and the right one', async ({
  page,
  server,
}) => {
  const shown = shownAs(unproven);
  const doctor = await openSteps(page, server, shown);
  const mailbox = mailboxIn(page);
  const address = mailbox.getByLabel('Email address at your institution');
  const send = mailbox.getByRole('button', { name: 'Send the code' });
  await expect(mailbox).toContainText('Your employer’s mail system sees the message.');
  await expect(mailbox).toContainText('it says nothing about reviews');
  await address.fill('not an address');
  await send.click();
  await expect(address).toHaveAccessibleDescription('Invalid email address');

  await address.fill('ada@elsewhere.example');
  const refusal = refuse(400, { errors: { email: ['Not a mailbox that we know.'] } });
  await page.route(MAILBOX_CALL, refusal, { times: 1 });
  await send.click();
  await expect(address).toHaveAccessibleDescription('Not a mailbox that we know.');
  await expect(address).toBeFocused();
  await expect(address).toHaveValue('ada@elsewhere.example');

  await page.route(MAILBOX_CALL, (route) => route.fulfill({ json: { message: 'It is sent.' } }));
  await send.click();
  await expect(mailbox.locator(':focus')).toHaveText('It is sent.');
  await mailbox.getByRole('button', { name: 'Send a new code' }).click();
  await expect(address).toHaveValue('ada@elsewhere.example');
  await send.click();

  const code = mailbox.getByLabel('Verification code');
  const confirm = mailbox.getByRole('button', { name: 'Confirm code' });
  await code.fill('12');
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/Please enter a valid 6-digit code/);
  await page.route(MAILBOX_CODE_CALL, refuse(400, { errors: { code: [WRONG] } }), { times: 1 });
  await code.fill('000000');
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(new RegExp(WRONG));
  await expect(code).toHaveValue('000000');

  await page.route(MAILBOX_CODE_CALL, (route) => {
    const proofs = [{ kind: 'mailbox', on: '2026-03-14' }] as const;
    shown.doctor = { ...VERIFIED, verification: { ...passed, proofs: [...proofs] } };
    return route.fulfill({ json: doctor() });
  });
  await code.fill('123 456');
  await confirm.click();
  const main = page.getByRole('main');
  await expect(main.locator(':focus')).toHaveText(RECORDED);
  await expect(main).toContainText('March 14, 2026');
});
