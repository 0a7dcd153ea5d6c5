import { accountEndpoints } from '#contract/endpoints/account.ts';
import { caseEndpoints, doctorDecisionEndpoints } from '#contract/endpoints/office.ts';
import { representativeEndpoints } from '#contract/endpoints/replies.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { DAY_MS } from '#contract/limits.ts';
import { PROOF_TEXTS } from '#contract/verification/proof-requests.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { openCase } from '#server/cases/cases.ts';
import { linkFor, PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import { claim, rename, stepsOf } from '#server/features/verification/testing/claimants.ts';
import type { Evidence } from '#server/npi-registry/evidence.ts';
import {
  logOf,
  newDoctor,
  newEmail,
  newNpi,
  POSTER,
  type TestAccount,
} from '#server/testing/factories.ts';
import { MATCHED, signedInAgain } from '#server/testing/matched-doctor.ts';
import { at, expect, invalid, type Site, test as siteTest } from '#server/testing/site.ts';

const { ask, claim: hold, list, read } = caseEndpoints;

const test = siteTest
  .extend('owner', ({ site }) => site.admin())
  .extend('verifier', ({ site, owner: _ }) => site.admin(['verifier']))
  .extend('curator', ({ site, owner: _ }) => site.admin(['curator']))
  .extend('staff', async ({ site, verifier }) => site.as(verifier))
  .extend('doctor', ({ site }) => waiting(site));

const UNCHECKED: Evidence = { ...MATCHED, checks: { ...MATCHED.checks, name_matches: false } };

/** A doctor whose name differs from the registry's, so that an administrator decides. */
async function waiting(site: Site, npi = newNpi(), evidence = UNCHECKED): Promise<TestAccount> {
  const profile = { verification_status: 'needs_review' };
  const { id: userId, email } = await newDoctor(site, {
    npi,
    profile,
    evidence,
    password: PASSWORD,
  });
  const about = { kind: 'doctor', subject: { account_id: userId }, priority: 2 } as const;
  await openCase(site.deps.db, site.deps.clock, about);
  return signedInAgain(site, { userId, email });
}

const caseOf = async (site: Site, account_id: string) =>
  (await site.rows('cases', { account_id }))[0]?.id ?? '';

async function mailsTo(site: Site, { email }: Pick<TestAccount, 'email'>) {
  await site.jobs.idle();
  return site.mail
    .filter(({ to }) => to === email)
    .map(({ subject, text }) => `${subject}: ${text.replaceAll(/\s+/g, ' ')}`);
}

const today = ({ time }: Site) => toDay(time.now);

test('a doctor reads what is asked; the case waits', async ({ site, verifier, staff, doctor }) => {
  const id = await caseOf(site, doctor.userId);
  const { version } = ((await staff.get(read, at(id))).body.file as { doctor: { version: string } })
    .doctor;
  await staff.post(hold, at(id));
  const asked = await staff.post(ask, { request: 'name', version }, at(id));
  const asking = { request: 'name', asked_on: today(site), by: 'Root Example', is_answered: false };
  expect(asked.body).toMatchObject({ id, asked: asking, claim: null });
  expect((await staff.get(read, at(id))).body.case.asked).toEqual(asking);

  const own = { asked: 'name', asked_on: today(site), is_answered: false };
  expect((await stepsOf(site, doctor)).asked).toEqual(own);
  const exported = await site.as(doctor).get(accountEndpoints.export);
  expect(exported.body.asked).toEqual(own);
  const [mail = '', ...more] = await mailsTo(site, doctor);
  expect(more).toEqual([]);
  expect(mail).toContain(PROOF_TEXTS.name.text);
  expect(mail).not.toContain('Root Example');
  const entry = { actor: verifier.userId, action: 'doctor.ask', details: { asked_for: 'name' } };
  expect(await logOf(site, doctor.userId, 'actor', 'action', 'details')).toEqual([entry]);
});

test('text, mail, and answer are the same whoever else has the NPI', async ({ site, staff }) => {
  const shared = newNpi();
  const proofs = [{ kind: 'letter', on: '2026-01-02' }] as const;
  const evidence = { ...MATCHED, proofs, held_by: 'proof' } as const;
  await newDoctor(site, { npi: shared, profile: POSTER, evidence });
  const told = [];
  for (const npi of [shared, newNpi()]) {
    const doctor = await waiting(site, npi, MATCHED);
    const id = await caseOf(site, doctor.userId);
    const { status, body } = await staff.post(ask, { request: 'letter' }, at(id));
    const { asked } = await stepsOf(site, doctor);
    told.push([status, body.asked, asked, await mailsTo(site, doctor)]);
  }
  expect(told[0]).toEqual(told[1]);
});

test('a case that waits comes last until the doctor acts', async ({ site, staff, doctor }) => {
  const later = await waiting(site);
  const [first, second] = [await caseOf(site, doctor.userId), await caseOf(site, later.userId)];
  // Both are of one week, so random ids decide: the older week comes first.
  await site.change('cases', { id: first }, { opened_on: '2026-01-05' });
  const order = async () => {
    const { results } = (await staff.get(list, { query: { kind: 'doctor', page_size: 100 } })).body;
    const ids = results.map(({ id }) => id);
    return ids.indexOf(first) < ids.indexOf(second);
  };
  expect(await order()).toBe(true);
  await staff.post(ask, { request: 'name' }, at(first));
  expect(await order()).toBe(false);
  // The same name again is no answer.
  await site.as(doctor).patch(accountEndpoints.update, { first_name: 'Ada' }, at(doctor.userId));
  expect(await order()).toBe(false);
  await rename(site, doctor, { first_name: 'Adah' });
  expect(await order()).toBe(true);
  const { case: found } = (await staff.get(read, at(first))).body;
  expect(found.asked).toMatchObject({ request: 'name', is_answered: true });
  expect((await stepsOf(site, doctor)).asked).toMatchObject({ is_answered: true });
});

test('another check of the registry is an answer, too', async ({ site, staff }) => {
  const doctor = await claim(site, newNpi(), { last_name: 'Other' });
  const id = await caseOf(site, doctor.userId);
  await staff.post(ask, { request: 'registry' }, at(id));
  await site.as(doctor).post(verificationEndpoints.checkRegistry, {});
  const { asked } = (await staff.get(read, at(id))).body.case;
  expect(asked).toMatchObject({ is_answered: true });
});

test('only a confirmed mailbox is an answer, not a typed one', async ({ site, staff, doctor }) => {
  const id = await caseOf(site, doctor.userId);
  await staff.post(ask, { request: 'mailbox' }, at(id));
  const answered = async () => (await stepsOf(site, doctor)).asked?.is_answered;
  const email = newEmail();
  const change = { email, password: PASSWORD };
  await site.as(doctor).patch(accountEndpoints.update, change, at(doctor.userId));
  expect(await answered()).toBe(false);
  const { token } = await linkFor(site, email, '/confirm-email');
  await site.visitor().post(accountEndpoints.confirmEmail, { token });
  expect(await answered()).toBe(true);
});

test('a person is asked once a day, and a decision ends it', async ({ site, staff, doctor }) => {
  const id = await caseOf(site, doctor.userId);
  const both = await Promise.all([
    staff.post(ask, { request: 'name' }, at(id)),
    staff.post(ask, { request: 'license' }, at(id)),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.problem.code).toBe('asked_today');
  await rename(site, doctor, { first_name: 'Adah' });
  expect((await staff.post(ask, { request: 'name' }, at(id))).problem.code).toBe('asked_today');
  site.pass(DAY_MS);
  const again = site.as(await signedInAgain(site, await site.admin(['verifier'])));
  expect((await again.post(ask, { request: 'license' }, at(id))).status).toBe(200);
  expect(await mailsTo(site, doctor)).toHaveLength(2);
  const { verify } = doctorDecisionEndpoints;
  await again.post(verify, { reason: 'Their license is fine.', case_id: id }, at(doctor.userId));
  const back = await signedInAgain(site, doctor);
  expect((await stepsOf(site, back)).asked).toBeNull();
});

test('a representative answers a curator with another name', async ({ site, curator, staff }) => {
  const rita = await site.representative(await site.employer(), { state: 'pending' });
  const id = await caseOf(site, rita.userId);
  const by = site.as(curator);
  expect((await staff.post(ask, { request: 'role' }, at(id))).problem.code).toBe('case_closed');
  expect((await by.post(ask, { request: 'letter' }, at(id))).problem.errors).toHaveProperty(
    'request',
  );
  expect((await by.post(ask, { request: 'role' }, at(id))).status).toBe(200);
  const own = async () => (await site.as(rita).get(representativeEndpoints.own)).body;
  expect(await own()).toMatchObject({
    state: 'pending',
    asked: { asked: 'role', asked_on: today(site), is_answered: false },
  });
  const [mail = ''] = await mailsTo(site, rita);
  expect(mail).toContain(PROOF_TEXTS.role.text);
  expect(mail).toContain('/represent');
  const acts = await logOf(site, rita.userId, 'action', 'details');
  expect(acts).toEqual([{ action: 'representative.ask', details: { asked_for: 'role' } }]);
  await site.as(rita).patch(accountEndpoints.update, { first_name: 'Margarita' }, at(rita.userId));
  expect((await own()).asked).toMatchObject({ is_answered: true });
});

test('refuses what cannot be asked', async ({ site, curator, staff, verifier, doctor }) => {
  const id = await caseOf(site, doctor.userId);
  const problem = async (body: object, client = staff, about = id) =>
    (await client.post(ask, invalid(body), at(about))).problem;
  expect((await problem({})).errors).toEqual({ request: ['Please choose what to ask for'] });
  expect((await problem({ request: 'passport' })).status).toBe(400);
  expect((await problem({ request: 'role' })).errors).toHaveProperty('request');
  expect((await problem({ request: 'name', version: 'old' })).code).toBe('changed_meanwhile');
  expect((await problem({ request: 'name' }, staff, crypto.randomUUID())).code).toBe('case_closed');
  // A case of another role, or none at all.
  expect((await problem({ request: 'name' }, site.as(curator))).code).toBe('case_closed');
  for (const client of [site.as(doctor), site.visitor()]) {
    expect([401, 403, 404]).toContain((await problem({ request: 'name' }, client)).status);
  }
  const other = site.as(await site.admin(['verifier']));
  await other.post(hold, at(id));
  expect((await problem({ request: 'name' })).code).toBe('case_claimed');
  expect(await mailsTo(site, doctor)).toEqual([]);
  expect(verifier.userId).not.toBe('');

  const employer = await site.employer({ source: 'user', source_id: null });
  const [row] = await site.rows('cases', { employer_id: employer });
  const refused = await problem({ request: 'name' }, site.as(curator), row?.id);
  expect(refused.errors).toHaveProperty('request');
});
