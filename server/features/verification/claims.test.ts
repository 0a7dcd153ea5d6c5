import { expect } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { logOf, newNpi } from '#server/testing/factories.ts';
import { registryOf, signedInAgain } from '#server/testing/matched-doctor.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { setPermission } from './administration.ts';
import * as claimants from './testing/claimants.ts';

const { ADA, byTwo, checkAgain, claim, doctorOf, post, prove, rename } = claimants;
const { rivals, standing, VERIFIED } = claimants;
const npiRegistry = registryOf(ADA);
const proofTest = testWith({ config: { verification: 'proof' }, npiRegistry });
const registryTest = testWith({ config: { verification: 'registry' }, npiRegistry });

const aTrainee = () => npiRegistry.numberOf({ ...ADA, taxonomies: ['390200000X'] });
const verifyByCommand = (site: Site, id: string) =>
  setPermission(site.deps, { actor: 'cli' }, id, 'verified', true);

proofTest('where proof is required, no match alone verifies', async ({ site }) => {
  const ada = await claim(site);
  expect(await doctorOf(site, ada)).toMatchObject(standing('needs_proof'));
  expect(await post(site, ada)).toBe(403);
  await prove(site, ada);
  const proofs = [{ kind: 'letter', on: site.time.now.toISOString().slice(0, 10) }];
  expect(await doctorOf(site, ada)).toMatchObject({ ...VERIFIED, verification: { proofs } });
  expect(await post(site, ada)).toBe(201);
});

for (const [mode, test] of Object.entries({ proof: proofTest, registry: registryTest })) {
  test(`with ${mode}, the owner is verified even if an impostor came first`, async ({ site }) => {
    const [impostor, owner] = await rivals(site);
    expect(await doctorOf(site, owner)).toMatchObject(standing('needs_proof'));
    await prove(site, owner);
    expect(await doctorOf(site, owner)).toMatchObject(VERIFIED);
    expect(await doctorOf(site, impostor)).toMatchObject(standing('needs_proof'));
    expect(await post(site, impostor)).toBe(403);
  });
}

registryTest('mails who loses the NPI, and who has proven it', async ({ site }) => {
  const [first, second] = await rivals(site);
  await prove(site, second);
  await site.jobs.idle();
  const mailTo = ({ email }: typeof first) => site.mail.findLast(({ to }) => to === email)?.text;
  expect(mailTo(first)).toContain('please prove it');
  expect(mailTo(second)).toContain('Your proof is recorded');
});

proofTest('competing proofs wait for two verifiers, untold to the holder', async ({ site }) => {
  const [first, second] = await rivals(site);
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
  expect(await logOf(site, second.userId, 'action', 'details')).toEqual([
    { action: 'doctor.decide-first', details: { decision: 'verify', reason } },
    { action: 'doctor.verify', details: { reason } },
  ]);
});

proofTest('of two simultaneous proofs of one NPI, one verifies', async ({ site }) => {
  for (let round = 0; round < 5; round += 1) {
    const both = await rivals(site);
    await Promise.all(both.map((one) => prove(site, one)));
    const states = await Promise.all(both.map((one) => doctorOf(site, one)));
    const statuses = states.map(({ verification }) => verification.status);
    expect(statuses.toSorted()).toEqual(['needs_review', 'passed']);
  }
});

proofTest('no proof and no check overrides a refusal', async ({ site }) => {
  const ada = await claim(site);
  await prove(site, ada);
  await byTwo(site, (actor) => setPermission(site.deps, { actor }, ada.userId, 'verified', false));
  await expect(prove(site, ada)).rejects.toMatchObject({ code: 'nothing_to_prove' });
  await checkAgain(site, ada);
  const refused = { verified: false, verification: { status: 'needs_review', proofs: [] } };
  expect(await doctorOf(site, ada)).toMatchObject(refused);
});

proofTest("a name change ends an administrator's decision", async ({ site }) => {
  const ada = await claim(site, newNpi(), { last_name: 'Lovelace' });
  const registry_name = { first_name: 'ADA', last_name: 'EXAMPLE' };
  expect(await doctorOf(site, ada)).toMatchObject(standing('needs_review', { registry_name }));
  await verifyByCommand(site, ada.userId);
  await rename(site, ada, { first_name: 'Grace' });
  expect(await doctorOf(site, ada)).toMatchObject({ verified: false });
});

registryTest('correcting a name starts another check', async ({ site }) => {
  const ada = await claim(site, newNpi(), { first_name: 'Eda' });
  expect(await doctorOf(site, ada)).toMatchObject(standing('needs_review'));
  await rename(site, ada, { first_name: 'Ada' });
  expect(await doctorOf(site, ada)).toMatchObject(VERIFIED);
});

proofTest('a renamed holder keeps a proven NPI, even against older proofs', async ({ site }) => {
  const npi = aTrainee();
  const older = await claim(site, npi);
  await prove(site, older);
  site.pass(DAY_MS);
  const holder = await claim(site, npi);
  await prove(site, holder);
  await verifyByCommand(site, holder.userId);
  await rename(site, holder, { last_name: 'Newlywed' });
  await prove(site, older, { kind: 'mailbox', isResidency: true });
  const state = await doctorOf(site, await signedInAgain(site, older));
  expect(state).toMatchObject(standing('needs_review'));
});

registryTest('a renamed account keeps the NPI that it has proven', async ({ site }) => {
  const [first, second] = await rivals(site);
  await prove(site, second);
  const waiting = { verified: false, can_post_reviews: false, verification_status: 'pending' };
  await site.change('doctors', { user_id: second.userId }, waiting);
  await checkAgain(site, first);
  expect(await doctorOf(site, first)).toMatchObject(standing('needs_proof'));
  await prove(site, first);
  expect(await doctorOf(site, first)).toMatchObject(standing('needs_review'));
});
