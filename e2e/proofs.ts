import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import type { Doctor } from '#contract/doctors.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { paths } from '#web/lib/paths.ts';
import { mailText, type Signup, signIn, signUp } from './account.ts';
import { test as base, expect } from './fixtures.ts';
import { ask, headersOf, registeredPhysician } from './review.ts';
import { ROOT, startServer, type TestServer } from './server.ts';

/** A server that requires proofs. */
export const test = base.extend<object, { server: TestServer }>({
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

/** Opens the verification page as a physician who matches the registry and still needs a proof. */
export async function openUnproven(page: Page, server: TestServer): Promise<Signup> {
  const details = await signUp(server, await registeredPhysician(server));
  const headers = await headersOf(server, details.email);
  await expect
    .poll(
      async () =>
        (await ask<Doctor>(server, sessionEndpoints.doctor.path, headers)).verification.status,
    )
    .toBe('needs_proof');
  await signIn(page, server, details.email);
  await page.goto('/letter');
  await expect(page).toHaveURL(paths.verificationRequired());
  return details;
}

/** Runs a command on the server's data, as an administrator does. */
export async function curbside(
  server: TestServer,
  command: readonly string[],
  input = '',
): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: server.dataDir };
  const running = promisify(execFile)(process.execPath, ['server/cli/main.ts', ...command], {
    cwd: ROOT,
    env: { ...env, PUBLIC_URL: server.url },
  });
  running.child.stdin?.end(input);
  await running;
}

/** Prints the waiting letters, as an administrator does, and reads the code from the PDF. */
export async function printedCode(server: TestServer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-letters-'));
  try {
    const file = path.join(folder, 'letters.pdf');
    await curbside(server, ['letters', 'print', file]);
    const pdf = await getDocumentProxy(new Uint8Array(await readFile(file)));
    const { text } = await extractText(pdf);
    const [code] = text.join('\n').match(/\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/) ?? [];
    if (!code) throw new Error(`no code in: ${text}`);
    return code;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Proves the NPI on the verification page with an unused mailbox. */
export async function proveByMailbox(page: Page, server: TestServer): Promise<void> {
  const mailbox = page.getByRole('region', { name: 'An email address at your institution' });
  const staff = `${crypto.randomUUID().slice(0, 8)}@hospital.example`;
  await mailbox.getByLabel('Email address at your institution').fill(staff);
  await mailbox.getByRole('button', { name: 'Send the code' }).click();
  const code = /\b\d{6}\b/.exec(await mailText(server, staff, /Enter this code/))?.[0] ?? '';
  await mailbox.getByLabel('Verification code').fill(code);
  await mailbox.getByRole('button', { name: 'Confirm code' }).click();
  await expect(page.getByRole('main').locator(':focus')).toContainText('Your proof is recorded.');
}
