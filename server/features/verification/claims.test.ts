import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Member, send } from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer, newNpi, reviewOf, signedInAdmin } from '#server/testing/factories.ts';
import { setPermission } from './administration.ts';
import { ADA, claim, doctorOf, prove, serverWith } from './testing/claimants.ts';

const VERIFIED = { verified: true, can_post_reviews: true, verification: { status: 'passed' } };
const standing = (status: string) => ({
  verified: false,
  can_post_reviews: false,
  verification: { status },
});

const post = async (server: TestApp, member: Member) =>
  (await send(server, '/reviews/', reviewOf(await newEmployer(server)), member)).statusCode;

const steps = async ({ app }: TestApp, { headers }: Member) =>
  (await app.inject({ url: '/api/verification/', headers })).json();

test('with proof required, a match alone verifies nobody, and a proof does', async () => {
  await using server = await serverWith('proof');
  const ada = await claim(server, newNpi());
  expect(await doctorOf(server, ada)).toMatchObject(standing('needs_proof'));
  expect(await post(server, ada)).toBe(403);
  await prove(server, ada);
  expect(await doctorOf(server, ada)).toMatchObject({
    ...VERIFIED,
    verification: { proofs: [{ kind: 'letter', on: server.time.now.toISOString().slice(0, 10) }] },
  });
  expect(await post(server, ada)).toBe(201);
});

test.each(['proof', 'registry'] as const)(
  'with %s, the owner is verified even if an impostor came first',
  async (mode) => {
    await using server = await serverWith(mode);
    const npi = newNpi();
    const impostor = await claim(server, npi);
    const owner = await claim(server, npi);
    expect(await doctorOf(server, owner)).toMatchObject(standing('needs_proof'));
    await prove(server, owner);
    expect(await doctorOf(server, owner)).toMatchObject(VERIFIED);
    expect(await doctorOf(server, impostor)).toMatchObject(standing('needs_proof'));
    expect(await post(server, impostor)).toBe(403);
  },
);

test('an account that loses the NPI is notified, and has 30 days to prove it as well', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const [first, second] = [await claim(server, npi), await claim(server, npi)];
  await prove(server, second);
  await server.jobs.idle();
  const mails = server.mail.filter(({ to }) => to === first.email);
  expect(mails.at(-1)?.text).toContain('within 30 days');
  expect(server.mail.filter(({ to }) => to === second.email).at(-1)?.text).toContain('verified');
  const lastDay = new Date(server.time.now.getTime() + 30 * 86_400_000);
  const { prove_by } = await steps(server, first);
  expect(prove_by).toBe(lastDay.toISOString().slice(0, 10));
  expect((await steps(server, second)).prove_by).toBeNull();
});

test('two competing proofs wait for an administrator, and nobody is notified', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const [first, second] = [await claim(server, npi), await claim(server, npi)];
  await prove(server, first);
  await server.jobs.idle();
  const before = server.mail.length;
  await prove(server, second);
  await server.jobs.idle();
  expect(server.mail).toHaveLength(before);
  expect(await doctorOf(server, first)).toMatchObject(VERIFIED);
  expect(await doctorOf(server, second)).toMatchObject(standing('needs_review'));

  const { userId } = await signedInAdmin(server);
  const decision = { actor: userId, reason: 'showed a badge' };
  expect(await setPermission(server.deps, decision, second.id, 'verified', true)).toBe(true);
  expect(await doctorOf(server, second)).toMatchObject({ verified: true });
  expect(await doctorOf(server, first)).toMatchObject(standing('needs_proof'));
  const [act] = await server.deps.db.selectFrom('audit_log').selectAll().execute();
  expect(act).toMatchObject({ action: 'doctor.verify', details: { reason: 'showed a badge' } });
});

test('of two accounts that prove one NPI at the same time, one is verified', async () => {
  await using server = await serverWith('proof');
  for (let round = 0; round < 5; round += 1) {
    const npi = newNpi();
    const both = [await claim(server, npi), await claim(server, npi)];
    await Promise.all(both.map((one) => prove(server, one)));
    const states = await Promise.all(both.map((one) => doctorOf(server, one)));
    expect(states.map(({ verification }) => verification.status).toSorted()).toEqual([
      'needs_review',
      'passed',
    ]);
  }
});

test('a trainee needs a mailbox of a residency, or a proof and an administrator', async () => {
  const trainee = { ...ADA, taxonomies: ['390200000X'] };
  await using server = await serverWith('proof', trainee);
  const ada = await claim(server, newNpi());
  await prove(server, ada, { kind: 'letter' });
  expect(await doctorOf(server, ada)).toMatchObject(standing('needs_review'));
  await prove(server, ada, { kind: 'mailbox', isResidency: true });
  expect(await doctorOf(server, ada)).toMatchObject(VERIFIED);
});

test("neither a proof nor another check overrides an administrator's refusal", async () => {
  await using server = await serverWith('proof');
  const ada = await claim(server, newNpi());
  await prove(server, ada);
  await setPermission(server.deps, { actor: 'cli' }, ada.id, 'verified', false);
  await expect(prove(server, ada)).rejects.toMatchObject({ code: 'nothing_to_prove' });
  await send(server, '/verification/check/', {}, ada);
  await server.jobs.idle();
  expect(await doctorOf(server, ada)).toMatchObject({ verified: false });
  expect((await doctorOf(server, ada)).verification).toMatchObject({
    status: 'needs_review',
    proofs: [],
  });
});

test("a name change ends an administrator's decision", async () => {
  await using server = await serverWith('proof');
  const ada = await claim(server, newNpi(), { last_name: 'Lovelace' });
  expect((await doctorOf(server, ada)).verification).toMatchObject({
    status: 'needs_review',
    registry_name: { first_name: 'ADA', last_name: 'EXAMPLE' },
  });
  await setPermission(server.deps, { actor: 'cli' }, ada.id, 'verified', true);
  const name = { first_name: 'Grace' };
  await send(server, `/users/${ada.id}/`, name, { ...ada, method: 'PATCH' });
  await server.jobs.idle();
  expect(await doctorOf(server, ada)).toMatchObject({ verified: false });
});

test('correcting a name that is not in the registry starts another check', async () => {
  await using server = await serverWith('registry');
  const ada = await claim(server, newNpi(), { first_name: 'Eda' });
  expect(await doctorOf(server, ada)).toMatchObject(standing('needs_review'));
  await send(server, `/users/${ada.id}/`, { first_name: 'Ada' }, { ...ada, method: 'PATCH' });
  await server.jobs.idle();
  expect(await doctorOf(server, ada)).toMatchObject(VERIFIED);
});

test('an account that has proven its NPI keeps it while a name change is checked', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const [first, second] = [await claim(server, npi), await claim(server, npi)];
  await prove(server, second);
  const waiting = { verified: false, can_post_reviews: false, verification_status: 'pending' };
  const { db } = server.deps;
  await db.updateTable('doctors').set(waiting).where('user_id', '=', second.id).execute();
  await send(server, '/verification/check/', {}, first);
  await server.jobs.idle();
  expect(await doctorOf(server, first)).toMatchObject(standing('needs_proof'));
  await prove(server, first);
  expect(await doctorOf(server, first)).toMatchObject(standing('needs_review'));
});

test('changing the name before the owner proves the NPI does not avoid the dispute', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const [impostor, owner] = [await claim(server, npi), await claim(server, npi)];
  const prober = await claim(server, npi);
  expect(await post(server, impostor)).toBe(201);
  const name = { first_name: 'Grace' };
  await send(server, `/users/${impostor.id}/`, name, { ...impostor, method: 'PATCH' });
  await server.jobs.idle();
  expect(await doctorOf(server, impostor)).toMatchObject(standing('needs_review'));
  await prove(server, owner);
  expect((await steps(server, impostor)).prove_by).not.toBeNull();
  // An account that never held the NPI gets no mail.
  expect((await steps(server, prober)).prove_by).toBeNull();
});

test('a dispute whose key is lost prevents nobody from being verified', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const [first, second] = [await claim(server, npi), await claim(server, npi)];
  await prove(server, second);
  const { secrets } = server.deps.config;
  server.deps.keys.replace({ ...secrets, authorship: [randomBytes(32)] });
  expect((await steps(server, first)).prove_by).toBeNull();
  await prove(server, await claim(server, newNpi()));
});
