import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Doctor } from '#contract/verification/doctors.ts';
import { toMonth } from '#server/anonymity/coarse-time.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { codeFor } from '#server/features/accounts/testing/account-flows.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { newNpi } from '#server/testing/factories.ts';
import * as doctors from '#server/testing/matched-doctor.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { setPermission } from '../administration.ts';
import { doctorOf, prove, standing } from '../testing/claimants.ts';

const { answering, matchedDoctor, PERSON } = doctors;
type MatchedDoctor = doctors.MatchedDoctor;
const options = { config: { verification: 'proof' }, npiRegistry: answering(PERSON) } as const;
const test = testWith(options)
  /** A listed domain, and its next mailbox. */
  .extend('mailbox', async ({ site }) => newDomain(site));

let serial = 0;

async function newDomain({ deps }: Site, proofs_per_month?: number): Promise<() => string> {
  serial += 1;
  const domain = `hospital${serial}.example`;
  const row = { domain, kind: 'employer', name: 'Sample Hospital', proofs_per_month };
  await deps.db.insertInto('institution_domains').values(row).execute();
  let mailboxes = 0;
  return () => `staff${++mailboxes}@${domain}`;
}

async function proveBy(site: Site, doctor: MatchedDoctor, email: string): Promise<Doctor> {
  expect((await doctor.askForMailboxCode(email)).status).toBe(200);
  return (await doctor.enterMailboxCode(await codeFor(site, email))).body;
}

/** Proofs of new accounts, one after the other: whether each was verified. */
async function proveMany(site: Site, mailbox: () => string, npis: readonly string[]) {
  const verified: boolean[] = [];
  for (const npi of npis) {
    verified.push((await proveBy(site, await matchedDoctor(site, { npi }), mailbox())).verified);
  }
  return verified;
}

const newNpis = (count: number) => Array.from({ length: count }, newNpi);

async function takenNpi(site: Site): Promise<string> {
  const holder = await matchedDoctor(site);
  await prove(site, holder);
  return holder.npi;
}

test('five proofs of a domain count in a month; further ones wait', async ({ site, mailbox }) => {
  const npis = [await takenNpi(site), newNpi(), await takenNpi(site), newNpi(), newNpi()];
  expect(await proveMany(site, mailbox, npis)).toEqual([false, true, false, true, true]);
  const sixth = await matchedDoctor(site);
  const waits = standing('needs_review', { proofs: [{ kind: 'mailbox' }] });
  expect(await proveBy(site, sixth, mailbox())).toMatchObject(waits);
  const cases = await site.rows('cases', { account_id: sixth.userId }, ['kind']);
  expect(cases).toEqual([{ kind: 'doctor' }]);
  // Another domain has its own quota, and so has the next month.
  expect(await proveMany(site, await newDomain(site), newNpis(1))).toEqual([true]);
  const now = site.time.now;
  site.time.now = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  expect(await proveMany(site, mailbox, newNpis(6))).toEqual([true, true, true, true, true, false]);
});

test('of six proofs at the same time, five count', async ({ site, mailbox }) => {
  const attempts: [MatchedDoctor, string][] = [];
  while (attempts.length < 6) {
    const [doctor, email] = [await matchedDoctor(site), mailbox()];
    await doctor.askForMailboxCode(email);
    attempts.push([doctor, await codeFor(site, email)]);
  }
  const answers = await Promise.all(attempts.map(([one, code]) => one.enterMailboxCode(code)));
  expect(answers.filter(({ body }) => body.verified)).toHaveLength(5);
});

test('answers and mail after a proof are alike, whatever came of it', async ({ site }) => {
  const mailbox = await newDomain(site, 2);
  const outcomes: { mails: string[]; doctor: Doctor }[] = [];
  for (const npi of [newNpi(), await takenNpi(site), newNpi(), await takenNpi(site)]) {
    const account = await matchedDoctor(site, { npi });
    const doctor = await proveBy(site, account, mailbox());
    await site.jobs.idle();
    const own = site.mail.filter(({ to }) => to === account.email);
    outcomes.push({ mails: own.map(({ subject, text }) => `${subject}\n${text}`), doctor });
  }
  const [verified, ...waiting] = outcomes;
  for (const { mails } of outcomes) {
    expect(mails).toEqual(verified?.mails);
    expect(mails).toEqual([expect.stringContaining('Your proof is recorded')]);
  }
  const [met, ...others] = waiting.map(({ doctor: { user: _, npi: __, ...state } }) => state);
  expect(met).toMatchObject(standing('needs_review'));
  expect(others).toEqual([met, met]);
});

test('a used mailbox counts; only the quota of proofs tells of it', async ({ site }) => {
  const mailbox = await newDomain(site, 2);
  const [used, fresh] = [mailbox(), mailbox()];
  await proveBy(site, await matchedDoctor(site), used);
  const tryBy = async (account: MatchedDoctor, email: string) => {
    await account.askForMailboxCode(email);
    return account.enterMailboxCode(await codeFor(site, email));
  };
  const { problem } = await tryBy(await matchedDoctor(site), used);
  expect(problem.code).toBe('mailbox_used');
  const outcomes = [];
  for (const email of [fresh, used, fresh, used]) {
    const account = await matchedDoctor(site);
    const { status, body, headers } = await tryBy(account, email);
    await site.jobs.idle();
    const mails = site.mail.filter(({ to }) => to === account.email).map(({ text }) => text);
    const { user: _, npi: __, ...state } = body;
    outcomes.push({ status, state, length: headers['content-length'], mails });
  }
  expect(outcomes[0]?.state).toMatchObject(standing('needs_review'));
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
});

test('a proof after the quota holds no NPI until a verifier confirms it', async ({ site }) => {
  const mailbox = await newDomain(site, 0);
  const [early, owner] = [await matchedDoctor(site), await matchedDoctor(site)];
  await proveBy(site, early, mailbox());
  expect((await early.steps()).letter_from).toBeNull();
  const actor = (await site.admin(['verifier'])).userId;
  await setPermission(site.deps, { actor }, early.userId, 'verified', true);
  const { proofs } = (await doctorOf(site, early)).verification;
  expect(proofs.map(({ kind }) => kind)).toEqual(['mailbox', 'administrator']);

  const rival = await matchedDoctor(site, { npi: owner.npi });
  await proveBy(site, rival, mailbox());
  await prove(site, owner);
  expect(await doctorOf(site, owner)).toMatchObject({ verified: true });
});

test('a domain can have its own quota', async ({ site, mailbox }) => {
  const [domain = ''] = mailbox().split('@').slice(1);
  const run = (...args: string[]) => curbside(site, ['domains', 'quota', domain, ...args]);
  expect((await run('1')).output).toBe(`${domain}: 1 proofs a month count.\n`);
  expect(await proveMany(site, mailbox, newNpis(2))).toEqual([true, false]);
  expect((await run()).output).toBe(`${domain}: 5 proofs a month count.\n`);
  expect(await proveMany(site, mailbox, newNpis(5))).toEqual([true, true, true, true, false]);
});

test('a new authorship key begins no quota anew', async () => {
  const [old, key] = [randomBytes(32), randomBytes(32)];
  const under = (...authorship: Buffer[]) => ({ ...TEST_CONFIG.secrets, authorship });
  const config = { ...options.config, secrets: under(key, old) };
  const site = await newSite({ ...options, config });
  const { keys } = site.deps;
  keys.replace(under(old));
  const [half, full] = [await newDomain(site, 2), await newDomain(site, 1)];
  expect(await proveMany(site, half, newNpis(1))).toEqual([true]);
  expect(await proveMany(site, full, newNpis(1))).toEqual([true]);
  const late = await matchedDoctor(site);
  const email = full();
  await late.askForMailboxCode(email);
  const code = await codeFor(site, email);
  keys.replace(under(key, old));
  expect(await proveMany(site, half, newNpis(2))).toEqual([true, false]);
  expect(await curbside(site, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  keys.replace(under(key));
  expect(await proveMany(site, half, newNpis(1))).toEqual([false]);
  expect(await proveMany(site, full, newNpis(1))).toEqual([false]);
  // It would count under the old key.
  expect((await late.enterMailboxCode(code)).problem.code).toBe('invalid_proof_code');
});

test('what is counted names no domain, and ends with the month', async ({ site, mailbox }) => {
  await site.deps.db.deleteFrom('mailbox_quotas').execute();
  await proveMany(site, mailbox, newNpis(2));
  const month = toMonth(site.time.now);
  expect(await site.rows('mailbox_quotas')).toEqual([{ mark: expect.any(Buffer), month, used: 2 }]);
  site.time.now = new Date(Date.parse(month) + 32 * 86_400_000);
  await site.run('retention');
  expect(await site.rows('mailbox_quotas')).toEqual([]);
});
