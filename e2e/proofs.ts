import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { paths } from '#web/lib/paths.ts';
import { call, headersOf, mailText, newId, OFTEN, type Signup, signIn, signUp } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { registeredPhysician } from './review.ts';
import { curbside, type TestServer } from './server.ts';

/** A server that requires proofs. */
export const test = testApart({ VERIFICATION: 'proof', MAILBOX_PROOFS_PER_MONTH: '100' });

/** Waits for the registry's answer about an account. */
export async function expectStatus(
  server: TestServer,
  { email }: Signup,
  status: Doctor['verification']['status'],
): Promise<void> {
  const as = await headersOf(server, email);
  const doctor = () => call(server, sessionEndpoints.doctor, { as });
  await expect.poll(async () => (await doctor()).verification.status, OFTEN).toBe(status);
}

/** Signs up a physician who matches the registry and still needs a proof. */
export async function newUnproven(server: TestServer): Promise<Signup> {
  const details = await signUp(server, await registeredPhysician(server));
  await expectStatus(server, details, 'needs_proof');
  return details;
}

export async function openSteps(page: Page, server: TestServer, email: string): Promise<Locator> {
  await signIn(page, server, email, paths.verificationRequired());
  return page.getByRole('main');
}

/** Opens the verification page, by the path in a letter, as someone who still needs a proof. */
export async function openUnproven(page: Page, server: TestServer): Promise<void> {
  await signIn(page, server, (await newUnproven(server)).email, '/letter');
  await expect(page).toHaveURL(paths.verificationRequired());
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

const newMailbox = () => `${newId()}@hospital.example`;

export async function mailboxCode(server: TestServer, mailbox: string): Promise<string> {
  const code = /\b\d{6}\b/.exec(await mailText(server, mailbox, /Enter this code/))?.[0];
  if (!code) throw new Error('no code in the email');
  return code;
}

/** Proves the NPI through the API, by default with an unused mailbox. */
export async function prove(server: TestServer, as: string, email = newMailbox()): Promise<void> {
  const { mailMailboxCode, confirmMailbox } = verificationEndpoints;
  await call(server, mailMailboxCode, { as, body: { email } });
  await call(server, confirmMailbox, { as, body: { code: await mailboxCode(server, email) } });
}

/** Proves the NPI on the verification page with an unused mailbox. */
export async function proveByMailbox(page: Page, server: TestServer): Promise<void> {
  const mailbox = page.getByRole('region', { name: 'An email address at your institution' });
  const staff = newMailbox();
  await mailbox.getByLabel('Email address at your institution').fill(staff);
  await mailbox.getByRole('button', { name: 'Send the code' }).click();
  await mailbox.getByLabel('Verification code').fill(await mailboxCode(server, staff));
  await mailbox.getByRole('button', { name: 'Confirm code' }).click();
  await expect(page.getByRole('main').locator(':focus')).toContainText('Your proof is recorded.');
}
