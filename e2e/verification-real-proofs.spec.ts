import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { paths } from '#web/lib/paths.ts';
import { call, mailText } from './account.ts';
import { expect } from './fixtures.ts';
import { newUnproven, openSteps, openUnproven, printedCode, test } from './proofs.ts';
import { RECORDED } from './verification.ts';

/** A wrong but well-formed code. */
const wrongFor = (code: string) => code.replace(/.$/, (last) => (last === '7' ? '8' : '7'));

test('a letter: ordered, printed, a wrong code, and the right one', async ({ page, server }) => {
  await openUnproven(page, server);
  const main = page.getByRole('main');
  const letter = main.getByRole('region', { name: 'A letter to your practice address' });
  await letter.getByRole('button', { name: 'Send me a letter' }).click();
  await expect(letter).toContainText('is waiting to be printed');
  await expect(letter).toContainText('You can order a new letter on or after');

  const printed = await printedCode(server);
  await page.reload();
  await expect(letter).toContainText('You have 5 attempts left.');
  const code = letter.getByLabel('Code from the letter');
  const confirm = letter.getByRole('button', { name: 'Confirm code' });
  await code.fill(wrongFor(printed));
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong or has expired\./);
  await expect(code).toHaveValue(wrongFor(printed));
  await expect(letter).toContainText('You have 4 attempts left.');

  await code.fill(printed.toLowerCase().replace('-', ' '));
  await confirm.click();
  await expect(main.locator(':focus')).toHaveText(RECORDED);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await main.getByRole('link', { name: 'Write a review' }).click();
  await expect(page).toHaveURL(paths.createReview());
});

test('five wrong codes use up a letter', async ({ page, server }) => {
  const { email } = await newUnproven(server);
  await call(server, verificationEndpoints.orderLetter, { as: email, body: {} });
  const printed = await printedCode(server);
  await openSteps(page, server, email);
  const letter = page.getByRole('region', { name: 'A letter to your practice address' });
  for (const left of [4, 3, 2, 1]) {
    await letter.getByLabel('Code from the letter').fill(wrongFor(printed));
    await letter.getByRole('button', { name: 'Confirm code' }).click();
    await expect(letter).toContainText(`You have ${left} attempt`);
  }
  await letter.getByRole('button', { name: 'Confirm code' }).click();
  await expect(letter).toContainText('You have no attempts left');
  await expect(letter.getByRole('textbox')).toBeHidden();
});

test('a mailbox: an unlisted address, a wrong code, and the right one', async ({
  page,
  server,
}) => {
  await openUnproven(page, server);
  const main = page.getByRole('main');
  const mailbox = main.getByRole('region', { name: 'An email address at your institution' });
  const address = mailbox.getByLabel('Email address at your institution');
  const send = mailbox.getByRole('button', { name: 'Send the code' });
  await address.fill('ada@nobody-knows.example');
  await send.click();
  const unlisted = 'This mailbox does not belong to an institution that we know.';
  await expect(address).toHaveAccessibleDescription(unlisted);
  const staff = `${crypto.randomUUID().slice(0, 8)}@hospital.example`;
  await address.fill(staff);
  await send.click();
  const sent = await mailText(server, staff, /Enter this code/);
  const mailed = /\b\d{6}\b/.exec(sent)?.[0] ?? '';
  const code = mailbox.getByLabel('Verification code');
  const confirm = mailbox.getByRole('button', { name: 'Confirm code' });
  await code.fill(wrongFor(mailed));
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong or has expired\./);
  await code.fill(mailed);
  await confirm.click();
  await expect(main.locator(':focus')).toHaveText(RECORDED);
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
});
