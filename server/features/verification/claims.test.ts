import { expect } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { newNpi } from '#server/testing/factories.ts';
import { registryOf, signedInAgain } from '#server/testing/matched-doctor.ts';
import { testWith } from '#server/testing/site.ts';
import { setPermission } from './administration.ts';
import {
  ADA,
  byTwo,
  checkAgain,
  claim,
  doctorOf,
  post,
  prove,
  rename,
} from './testing/claimants.ts';

const npiRegistry = registryOf(ADA);
const proofTest = testWith({ config: { verification: 'proof' }, npiRegistry });
const registryTest = testWith({ config: { verification: 'registry' }, npiRegistry });

const VERIFIED = { verified: true, can_post_reviews: true, verification: { status: 'passed' } };
const standing = (status: string) => ({
  verified: false,
  can_post_reviews: false,
  verification: { status },
});

proofTest(
  'with proof required, a match alone verifies nobody, and a proof does',
  async ({ site }) => {
    const ada = await claim(site);
    expect(await doctorOf(site, ada)).toMatchObject(standing('needs_proof'));
    expect(await post(site, ada)).toBe(403);
    await prove(site, ada);
    expect(await doctorOf(site, ada)).toMatchObject({
      ...VERIFIED,
      verification: { proofs: [{ kind: 'letter', on: site.time.now.toISOString().slice(0, 10) }] },
    });
    expect(await post(site, ada)).toBe(201);
  },
);

for (const [mode, test] of [
  ['proof', proofTest],
  ['registry', registryTest],
] as const) {
  test(`with ${mode}, the owner is verified even if an impostor came first`, async ({ site }) => {
    const npi = newNpi();
    const [impostor, owner] = [await claim(site, npi), await claim(site, npi)];
    expect(await doctorOf(site, owner)).toMatchObject(standing('needs_proof'));
    await prove(site, owner);
    expect(await doctorOf(site, owner)).toMatchObject(VERIFIED);
    expect(await doctorOf(site, impostor)).toMatchObject(standing('needs_proof'));
    expect(await post(site, impostor)).toBe(403);
  });
}

registryTest(
  'an account that loses the NPI is notified, and so is the one that has proven it',
  async ({ site }) => {
    const npi = newNpi();
    const [first, second] = [await claim(site, npi), await claim(site, npi)];
    await prove(site, second);
    await site.jobs.idle();
    const mailTo = ({ email }: typeof first) => site.mail.findLast(({ to }) => to === email)?.text;
    expect(mailTo(first)).toContain('please prove it');
    expect(mailTo(second)).toContain('Your proof is recorded');
  },
);

proofTest(
  'two competing proofs wait for two verifiers, and the holder is not notified',
  async ({ site }) => {
    const npi = newNpi();
    const [first, second] = [await claim(site, npi), await claim(site, npi)];
    await prove(site, first);
    await site.jobs.idle();
    site.mail.length = 0;
    await prove(site, second);
    await site.jobs.idle();
    expect(site.mail.map(({ to }) => to)).toEqual([second.email]);
    expect(await doctorOf(site, first)).toMatchObject(VERIFIED);
    expect(await doctorOf(site, second)).toMatchObject(standing('needs_review'));

    const reason = 'showed a badge';
    const verify = (actor: string) =>
      setPermission(site.deps, { actor, reason }, second.userId, 'verified', true);
    expect(await byTwo(site, verify)).toBe(true);
    expect(await doctorOf(site, second)).toMatchObject({ verified: true });
    expect(await doctorOf(site, first)).toMatchObject(standing('needs_proof'));
    const log = site.deps.db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('subject', '=', second.userId)
      .orderBy('action');
    expect(await log.execute()).toEqual([
      { action: 'doctor.decide-first', details: { decision: 'verify', reason } },
      { action: 'doctor.verify', details: { reason } },
    ]);
  },
);

proofTest(
  'of two accounts that prove one NPI at the same time, one is verified',
  async ({ site }) => {
    for (let round = 0; round < 5; round += 1) {
      const npi = newNpi();
      const both = [await claim(site, npi), await claim(site, npi)];
      await Promise.all(both.map((one) => prove(site, one)));
      const states = await Promise.all(both.map((one) => doctorOf(site, one)));
      expect(states.map(({ verification }) => verification.status).toSorted()).toEqual([
        'needs_review',
        'passed',
      ]);
    }
  },
);

proofTest(
  'a trainee needs a mailbox of a residency, or a proof and an administrator',
  async ({ site }) => {
    const npi = npiRegistry.numberOf({ ...ADA, taxonomies: ['390200000X'] });
    const ada = await claim(site, npi);
    await prove(site, ada, { kind: 'letter' });
    expect(await doctorOf(site, ada)).toMatchObject(standing('needs_review'));
    await prove(site, ada, { kind: 'mailbox', isResidency: true });
    expect(await doctorOf(site, ada)).toMatchObject(VERIFIED);
  },
);

proofTest(
  "neither a proof nor another check overrides an administrator's refusal",
  async ({ site }) => {
    const ada = await claim(site);
    await prove(site, ada);
    await byTwo(site, (actor) =>
      setPermission(site.deps, { actor }, ada.userId, 'verified', false),
    );
    await expect(prove(site, ada)).rejects.toMatchObject({ code: 'nothing_to_prove' });
    await checkAgain(site, ada);
    expect(await doctorOf(site, ada)).toMatchObject({
      verified: false,
      verification: { status: 'needs_review', proofs: [] },
    });
  },
);

proofTest("a name change ends an administrator's decision", async ({ site }) => {
  const ada = await claim(site, newNpi(), { last_name: 'Lovelace' });
  expect((await doctorOf(site, ada)).verification).toMatchObject({
    status: 'needs_review',
    registry_name: { first_name: 'ADA', last_name: 'EXAMPLE' },
  });
  await setPermission(site.deps, { actor: 'cli' }, ada.userId, 'verified', true);
  await rename(site, ada, { first_name: 'Grace' });
  expect(await doctorOf(site, ada)).toMatchObject({ verified: false });
});

registryTest(
  'correcting a name that is not in the registry starts another check',
  async ({ site }) => {
    const ada = await claim(site, newNpi(), { first_name: 'Eda' });
    expect(await doctorOf(site, ada)).toMatchObject(standing('needs_review'));
    await rename(site, ada, { first_name: 'Ada' });
    expect(await doctorOf(site, ada)).toMatchObject(VERIFIED);
  },
);

proofTest(
  'a holder keeps a proven NPI while a name change is checked, even against an older proof',
  async ({ site }) => {
    const npi = npiRegistry.numberOf({ ...ADA, taxonomies: ['390200000X'] });
    const older = await claim(site, npi);
    await prove(site, older);
    site.time.now = new Date(site.time.now.getTime() + DAY_MS);
    const holder = await claim(site, npi);
    await prove(site, holder);
    await setPermission(site.deps, { actor: 'cli' }, holder.userId, 'verified', true);
    await rename(site, holder, { last_name: 'Newlywed' });
    await prove(site, older, { kind: 'mailbox', isResidency: true });
    const state = await doctorOf(site, await signedInAgain(site, older));
    expect(state).toMatchObject(standing('needs_review'));
  },
);

registryTest(
  'an account that has proven its NPI keeps it while a name change is checked',
  async ({ site }) => {
    const npi = newNpi();
    const [first, second] = [await claim(site, npi), await claim(site, npi)];
    await prove(site, second);
    const waiting = { verified: false, can_post_reviews: false, verification_status: 'pending' };
    const { db } = site.deps;
    await db.updateTable('doctors').set(waiting).where('user_id', '=', second.userId).execute();
    await checkAgain(site, first);
    expect(await doctorOf(site, first)).toMatchObject(standing('needs_proof'));
    await prove(site, first);
    expect(await doctorOf(site, first)).toMatchObject(standing('needs_review'));
  },
);
