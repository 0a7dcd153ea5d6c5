import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import type { Doctor } from '#contract/doctors.ts';
import { apiPaths, paths } from '#web/lib/paths.ts';
import { mailText, type Signup, signIn, signUp } from './account.ts';
import { test as base, expect } from './fixtures.ts';
import { ask, headersOf, registeredPhysician } from './review.ts';
import { ROOT, startServer, type TestServer } from './server.ts';

/** A server that asks for proofs. */
const test = base.extend<object, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern.
    async ({}, use) => {
      const server = await startServer({ env: { VERIFICATION: 'proof' } });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** A physician whom the registry knows, and who has to prove it now. */
async function openUnproven(page: Page, server: TestServer): Promise<Signup> {
  const details = await signUp(server, await registeredPhysician(server));
  const headers = await headersOf(server, details.email);
  await expect
    .poll(async () => (await ask<Doctor>(server, apiPaths.doctor(), headers)).verification.status)
    .toBe('needs_proof');
  await signIn(page, server, details.email);
  await page.goto('/letter');
  await expect(page).toHaveURL(paths.verificationRequired());
  return details;
}

async function curbside(server: TestServer, ...command: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: server.dataDir };
  await promisify(execFile)(process.execPath, ['server/cli/main.ts', ...command], {
    cwd: ROOT,
    env: { ...env, VERIFICATION: 'proof', PUBLIC_URL: server.url },
  });
}

/** Prints the letters that wait, as an administrator does, and reads the code off the paper. */
async function printedCode(server: TestServer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-letters-'));
  try {
    const file = path.join(folder, 'letters.pdf');
    await curbside(server, 'letters', 'print', file);
    const pdf = await getDocumentProxy(new Uint8Array(await readFile(file)));
    const { text } = await extractText(pdf);
    const [code] = text.join('\n').match(/\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/) ?? [];
    if (!code) throw new Error(`no code in: ${text}`);
    return code;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Not the code, and still well formed. */
const wrongFor = (code: string) => code.replace(/.$/, (last) => (last === '7' ? '8' : '7'));

test('a letter: ordered, printed, a wrong code, and the right one', async ({ page, server }) => {
  await openUnproven(page, server);
  const main = page.getByRole('main');
  const letter = main.getByRole('region', { name: 'A letter to your practice address' });
  await letter.getByRole('button', { name: 'Send me a letter' }).click();
  await expect(letter).toContainText('waits to be printed');
  await expect(letter).toContainText('You can order a new letter from');

  const printed = await printedCode(server);
  await page.reload();
  await expect(letter).toContainText('You have 5 attempts left.');
  const code = letter.getByLabel('Code from the letter');
  const confirm = letter.getByRole('button', { name: 'Confirm the code' });
  await code.fill(wrongFor(printed));
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong or has expired\./);
  await expect(code).toHaveValue(wrongFor(printed));
  await expect(letter).toContainText('You have 4 attempts left.');

  await code.fill(printed.toLowerCase().replace('-', ' '));
  await confirm.click();
  await expect(main.locator(':focus')).toHaveText('Your proof is recorded. You are verified.');
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
  await main.getByRole('link', { name: 'Write a review' }).click();
  await expect(page).toHaveURL(paths.createReview());
});

test('five wrong codes use up a letter', async ({ page, server }) => {
  await openUnproven(page, server);
  const letter = page.getByRole('region', { name: 'A letter to your practice address' });
  await letter.getByRole('button', { name: 'Send me a letter' }).click();
  await expect(letter).toContainText('waits to be printed');
  const printed = await printedCode(server);
  await page.reload();
  for (const left of [4, 3, 2, 1]) {
    await letter.getByLabel('Code from the letter').fill(wrongFor(printed));
    await letter.getByRole('button', { name: 'Confirm the code' }).click();
    await expect(letter).toContainText(`You have ${left} attempt`);
  }
  await letter.getByRole('button', { name: 'Confirm the code' }).click();
  await expect(letter).toContainText('You have no attempts left');
  await expect(letter.getByRole('textbox')).toBeHidden();
});

test('a mailbox: not listed, a wrong code, and the right one', async ({ page, server }) => {
  await openUnproven(page, server);
  const main = page.getByRole('main');
  const mailbox = main.getByRole('region', { name: 'A mailbox at your institution' });
  const address = mailbox.getByLabel('Address at your institution');
  const send = mailbox.getByRole('button', { name: 'Send the code' });
  await address.fill('ada@nobody-knows.example');
  await send.click();
  await expect(address).toHaveAccessibleDescription(
    'This is not a mailbox of an institution that we know.',
  );
  const staff = `${crypto.randomUUID().slice(0, 8)}@hospital.example`;
  await address.fill(staff);
  await send.click();
  const sent = await mailText(server, staff, /Enter this code/);
  const mailed = /\b\d{6}\b/.exec(sent)?.[0] ?? '';
  const code = mailbox.getByLabel('Verification code');
  const confirm = mailbox.getByRole('button', { name: 'Confirm the code' });
  await code.fill(wrongFor(mailed));
  await confirm.click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong or has expired\./);
  await code.fill(mailed);
  await confirm.click();
  await expect(main.locator(':focus')).toHaveText('Your proof is recorded. You are verified.');
  await expect(main.getByText('Verified', { exact: true })).toBeVisible();
});
