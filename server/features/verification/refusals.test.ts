import { expect } from 'vitest';
import { caseEndpoints, doctorDecisionEndpoints } from '#contract/endpoints/office.ts';
import { DEFAULT_REFUSAL, REFUSALS } from '#contract/verification/proof-requests.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Evidence } from '#server/npi-registry/evidence.ts';
import { newDoctor, newNpi, POSTER, type TestAccount } from '#server/testing/factories.ts';
import { MATCHED, signedInAgain } from '#server/testing/matched-doctor.ts';
import { at, type Site, test as siteTest } from '#server/testing/site.ts';
import { doctorOf, rename } from './testing/claimants.ts';

const reason = 'Looked at it.';
const { refuse, evict, ban, verify, allow_posting, deny_posting } = doctorDecisionEndpoints;
/** The evidence for a doctor who has proven the NPI. */
const PROVEN: Evidence = {
  ...MATCHED,
  proofs: [{ kind: 'letter', on: '2026-01-02' }],
  held_by: 'proof',
};

const test = siteTest.extend('verifier', async ({ site }) => {
  await site.admin(['owner']);
  return site.admin(['verifier']);
});

/** An account that waits for an administrator. */
async function waiting(site: Site, npi: string): Promise<TestAccount> {
  const profile = { verification_status: 'needs_review' };
  const { id: userId, email } = await newDoctor(site, { npi, profile, evidence: MATCHED });
  return signedInAgain(site, { userId, email });
}

async function mailsTo(site: Site, { email }: Pick<TestAccount, 'email'>) {
  await site.jobs.idle();
  return site.mail.filter(({ to }) => to === email).map(({ text }) => text.replaceAll(/\s+/g, ' '));
}

const caseOf = (site: Site, account_id: string) => site.rows('cases', { account_id }, ['kind']);

test.for([
  ['refuse', refuse],
  ['evict', evict],
  ['ban', ban],
] as const)('%s says the same, whoever has the NPI', async ([, endpoint], { site, verifier }) => {
  const shared = newNpi();
  await newDoctor(site, { npi: shared, profile: POSTER, evidence: PROVEN });
  const told = [];
  for (const npi of [shared, newNpi()]) {
    const doctor = await waiting(site, npi);
    const act = site.as(await signedInAgain(site, verifier));
    const answer = await act.post(endpoint, { reason, refusal: 'name' }, at(doctor.userId));
    expect(answer.status).toBe(200);
    const { verification } = await doctorOf(site, doctor);
    const [mail = '', ...others] = await mailsTo(site, doctor);
    expect(others).toEqual([]);
    expect(mail).toContain(REFUSALS.name);
    expect(mail).toContain('you can object');
    expect(verification.refusal).toMatchObject({ reason: 'name' });
    told.push({ refusal: verification.refusal, status: verification.status, mail });
  }
  expect(told[0]).toEqual(told[1]);
});

test('the first of two decisions says nothing', async ({ site, verifier }) => {
  const doctor = await newDoctor(site, { profile: POSTER, evidence: PROVEN });
  await site.admin(['verifier']);
  const act = site.as(await signedInAgain(site, verifier));
  const { body } = await act.post(evict, { reason, refusal: 'unproven' }, at(doctor.id));
  expect(body).toMatchObject({ verified: true, first_decisions: [{ decision: 'evict' }] });
  expect(body.verification.refusal).toBeUndefined();
  expect(await mailsTo(site, doctor)).toEqual([]);
});

test('an unverified doctor may be denied posting, with a text', async ({ site, verifier }) => {
  const client = site.as(verifier);
  for (const [refusal, text] of [
    ['terms', REFUSALS.terms],
    [undefined, REFUSALS[DEFAULT_REFUSAL]],
  ] as const) {
    for (const isAllowed of [false, true]) {
      const doctor = await waiting(site, newNpi());
      if (isAllowed) await client.post(allow_posting, { reason }, at(doctor.userId));
      const { body } = await client.post(deny_posting, { reason, refusal }, at(doctor.userId));
      expect(body.verification.refusal?.reason).toBe(refusal ?? DEFAULT_REFUSAL);
      expect(await mailsTo(site, doctor)).toEqual([expect.stringContaining(text)]);
    }
  }
  const acts = { actor: verifier.userId, action: 'doctor.deny-posting' };
  expect(await site.rows('audit_log', acts)).toHaveLength(4);
});

test('posting is decided by the holder of the case, which stays open', async ({
  site,
  verifier,
}) => {
  const holder = site.as(verifier);
  const other = site.as(await site.admin(['verifier']));
  const doctor = await newDoctor(site, { profile: POSTER, evidence: PROVEN });
  await openCase(site.deps.db, site.deps.clock, {
    kind: 'doctor',
    subject: { account_id: doctor.id },
    priority: 2,
  });
  const [{ id: case_id } = expect.fail()] = await site.rows('cases', { account_id: doctor.id });
  await holder.post(caseEndpoints.claim, at(case_id));
  for (const endpoint of [deny_posting, allow_posting]) {
    const { problem } = await other.post(endpoint, { reason }, at(doctor.id));
    expect(problem.code).toBe('case_claimed');
    const gone = { reason, case_id: crypto.randomUUID() };
    expect((await holder.post(endpoint, gone, at(doctor.id))).problem.code).toBe('case_closed');
  }
  const { body } = await holder.post(deny_posting, { reason, case_id }, at(doctor.id));
  expect(body).toMatchObject({ verified: true, can_post_reviews: false });
  expect(await caseOf(site, doctor.id)).toEqual([{ kind: 'doctor' }]);
});

test('a corrected name is queued again, to be refused or verified', async ({ site, verifier }) => {
  const doctor = await waiting(site, newNpi());
  const client = site.as(verifier);
  const refusal = 'name';
  await client.post(refuse, { reason, refusal }, at(doctor.userId));
  expect(await caseOf(site, doctor.userId)).toEqual([]);
  await rename(site, doctor, { last_name: 'Corrected' });
  expect(await caseOf(site, doctor.userId)).toEqual([{ kind: 'doctor' }]);
  // The page says again that an administrator will look.
  expect((await doctorOf(site, doctor)).verification.refusal).toBeUndefined();

  await client.post(refuse, { reason, refusal: 'inactive' }, at(doctor.userId));
  expect((await doctorOf(site, doctor)).verification.refusal?.reason).toBe('inactive');
  expect(await mailsTo(site, doctor)).toHaveLength(2);
  await rename(site, doctor, { last_name: 'Corrected-Again' });
  expect(await caseOf(site, doctor.userId)).toEqual([{ kind: 'doctor' }]);
  await client.post(verify, { reason }, at(doctor.userId));
  const verified = await doctorOf(site, doctor);
  expect(verified).toMatchObject({ verified: true });
  expect(verified.verification.refusal).toBeUndefined();
});
