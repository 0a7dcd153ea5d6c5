import { paths } from '#web/lib/paths.ts';
import { newId, OFTEN, wrongFor } from './account.ts';
import { expect } from './fixtures.ts';
import { follow, press } from './forms.ts';
import { mailboxCode, openUnproven, printedCode, test } from './proofs.ts';
import { RECORDED } from './verification.ts';

// They share a server.
test.describe.configure({ mode: 'default' });

test('a letter: ordered, printed, a wrong code, and the right one', async ({ page, server }) => {
  await openUnproven(page, server);
  const main = page.getByRole('main');
  const letter = main.getByRole('region', { name: 'A letter to your practice address' });
  await press(letter, 'Send me a letter');
  await expect(letter).toContainText('is waiting to be printed');
  await expect(letter).toContainText('You can order a new letter on or after');

  const printed = await printedCode(server);
  await page.reload();
  await expect(letter).toContainText('You have 5 attempts left.');
  const code = letter.getByLabel('Code from the letter');
  const confirm = letter.getByRole('button', { name: 'Confirm code' });
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/Please enter the code from the letter/);
  await code.fill(wrongFor(printed));
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong or has expired\./);
  await expect(code).toBeFocused();
  await expect(code).toHaveValue(wrongFor(printed));
  await expect(letter).toContainText('You have 4 attempts left.');

  await code.fill(printed.toLowerCase().replace('-', ' '));
  await confirm.click();
  await expect(main.locator(':focus')).toHaveText(RECORDED);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await follow(main, 'Write a review', paths.createReview());
});

test('a mailbox: wrong addresses and codes, and the right ones', async ({ page, server }) => {
  await openUnproven(page, server);
  const main = page.getByRole('main');
  const mailbox = main.getByRole('region', { name: 'An email address at your institution' });
  const address = mailbox.getByLabel('Email address at your institution');
  const send = mailbox.getByRole('button', { name: 'Send the code' });
  await expect(mailbox).toContainText('it says nothing about reviews');
  for (const [wrong, text] of [
    ['not an address', 'Invalid email address'],
    ['ada@nobody-knows.example', 'This mailbox does not belong to an institution that we know.'],
  ] as const) {
    await address.fill(wrong);
    await send.click();
    await expect(address).toHaveAccessibleDescription(text);
    await expect(address).toBeFocused();
    await expect(address).toHaveValue(wrong);
  }
  const staff = `${newId()}@hospital.example`;
  await address.fill(staff);
  await send.click();
  await expect(mailbox.locator(':focus')).toContainText('sent');
  await expect.poll(() => server.mailTo(staff), OFTEN).toHaveLength(1);
  await press(mailbox, 'Send a new code');
  await expect(address).toHaveValue(staff);
  await send.click();
  await expect.poll(() => server.mailTo(staff), OFTEN).toHaveLength(2);
  const mailed = await mailboxCode(server, staff);
  const code = mailbox.getByLabel('Verification code');
  const confirm = mailbox.getByRole('button', { name: 'Confirm code' });
  for (const [wrong, text] of [
    ['12', /Please enter a valid 6-digit code/],
    [wrongFor(mailed), /This code is wrong or has expired\./],
  ] as const) {
    await code.fill(wrong);
    await confirm.click();
    await expect(code).toHaveAccessibleDescription(text);
    await expect(code).toHaveValue(wrong);
  }
  await code.fill(`${mailed.slice(0, 3)} ${mailed.slice(3)}`);
  await confirm.click();
  await expect(main.locator(':focus')).toHaveText(RECORDED);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
});
