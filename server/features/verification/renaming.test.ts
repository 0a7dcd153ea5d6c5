import { expect, test } from 'vitest';
import { openIdentity, sealIdentity } from '#server/features/accounts/identity/identity.ts';
import { newMember, send } from '#server/features/accounts/testing/account-flows.ts';
import type { RegistryAnswer } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin } from '#server/testing/factories.ts';
import { setPermission } from './administration.ts';

const person = (...names: [first: string, last: string][]): RegistryAnswer => ({
  kind: 'person',
  active: true,
  names: names.map(([first, last]) => ({ first, last })),
  taxonomies: ['207R00000X'],
  practice: null,
});
const ADA = person(['ADA', 'EXAMPLE'], ['ADA', 'LOVELACE']);
const answering = (answer: RegistryAnswer) => ({ lookUp: async () => answer });
const VERIFIED = { verified: true, can_post_reviews: true };
const WITHDRAWN = { verified: false, can_post_reviews: false };

interface Holder {
  id: string;
  headers: { authorization: string };
}
interface Name {
  first_name?: string;
  last_name?: string;
}

const rename = (server: TestApp, { id, headers }: Holder, name: Name) =>
  send(server, `/users/${id}/`, name, { headers, method: 'PATCH' });
const doctorOf = async ({ app }: TestApp, { headers }: Holder) =>
  (await app.inject({ url: '/api/doctors/me/', headers })).json();

async function settled(server: TestApp, member: Holder) {
  await server.jobs.idle();
  return doctorOf(server, member);
}

test('another spelling of the verified name keeps the verification, but another name loses it', async () => {
  await using server = await buildTestApp({ npiRegistry: answering(ADA) });
  const member = await newMember(server, { first_name: 'Zoé', last_name: "O'Neill-Example" });
  await setPermission(server.deps, { actor: 'test' }, member.id, 'verified', true);
  await setPermission(server.deps, { actor: 'test' }, member.id, 'can_post_reviews', true);
  for (const name of [
    { first_name: 'ZOE', last_name: 'ONeill Example' },
    { first_name: 'Zoe B.', last_name: 'O Neill-Example, M.D.' },
    { first_name: 'Zoé' },
    {},
  ]) {
    expect((await rename(server, member, name)).statusCode).toBe(200);
    expect(await settled(server, member)).toMatchObject({ ...VERIFIED, user: name });
  }
  const { verification } = await doctorOf(server, member);
  expect(verification).toMatchObject({
    status: 'passed',
    verified_name: { first_name: 'Zoé', last_name: "O'Neill-Example" },
  });

  const answer = await rename(server, member, { first_name: 'Grace' });
  expect([answer.statusCode, answer.json().first_name]).toEqual([200, 'Grace']);
  const doctor = await settled(server, member);
  expect(doctor).toMatchObject({ ...WITHDRAWN, verification: { status: 'needs_review' } });
  expect(doctor.verification.verified_name).toBeUndefined();
});

test('many small changes cannot lead to another name', async () => {
  await using server = await buildTestApp({ npiRegistry: answering(ADA) });
  const member = await newMember(server);
  for (const first_name of ['A da', 'A d a']) {
    await rename(server, member, { first_name });
    expect(await settled(server, member)).toMatchObject(VERIFIED);
  }
  // Each is another spelling of the previous one.
  await rename(server, member, { first_name: 'A' });
  expect(await settled(server, member)).toMatchObject(WITHDRAWN);
});

test('a new name that the registry also has is verified again within seconds', async () => {
  await using server = await buildTestApp({ npiRegistry: answering(ADA) });
  const member = await newMember(server);
  expect(await doctorOf(server, member)).toMatchObject(VERIFIED);
  await rename(server, member, { last_name: 'Lovelace' });
  expect(await settled(server, member)).toMatchObject({
    ...VERIFIED,
    user: { last_name: 'Lovelace' },
    verification: {
      status: 'passed',
      verified_name: { first_name: 'Ada', last_name: 'Lovelace' },
    },
  });
});

test('the account is pending until the registry has answered', async () => {
  let answer = Promise.resolve(ADA);
  await using server = await buildTestApp({ npiRegistry: { lookUp: () => answer } });
  const member = await newMember(server);
  const gate = Promise.withResolvers<RegistryAnswer>();
  answer = gate.promise;
  await rename(server, member, { first_name: 'Grace' });
  expect(await doctorOf(server, member)).toMatchObject({
    ...WITHDRAWN,
    verification: { status: 'pending', checks: { known: null, name_matches: null } },
  });
  gate.resolve(ADA);
  expect((await settled(server, member)).verification).toMatchObject({
    status: 'needs_review',
    checks: { known: true, name_matches: false },
  });
});

test('with manual verification, a new name waits for an administrator', async () => {
  await using server = await buildTestApp({
    npiRegistry: answering(ADA),
    config: { verification: 'manual' },
  });
  const member = await newMember(server);
  await setPermission(server.deps, { actor: 'test' }, member.id, 'verified', true);
  await setPermission(server.deps, { actor: 'test' }, member.id, 'can_post_reviews', true);
  await rename(server, member, { last_name: 'Lovelace' });
  expect(await settled(server, member)).toMatchObject({
    ...WITHDRAWN,
    verification: { status: 'needs_review', checks: { name_matches: true } },
  });
});

test("no name change overrides an administrator's decision", async () => {
  await using server = await buildTestApp({ npiRegistry: answering(ADA) });
  const [silenced, refused] = [await newMember(server), await newMember(server)];
  await setPermission(server.deps, { actor: 'test' }, silenced.id, 'can_post_reviews', false);
  await setPermission(server.deps, { actor: 'test' }, refused.id, 'verified', false);
  for (const member of [silenced, refused]) {
    for (const last_name of ['Lovelace', 'Example']) {
      await rename(server, member, { last_name });
      const doctor = await settled(server, member);
      expect(doctor.verified && doctor.can_post_reviews).toBe(false);
    }
  }
  expect(await doctorOf(server, silenced)).toMatchObject({
    ...WITHDRAWN,
    verification: { status: 'needs_review' },
  });
});

test('unverified doctors and administrators can change names freely', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const before = await doctorOf(server, member);
  await rename(server, member, { first_name: 'Grace', last_name: 'Hopper' });
  const after = await settled(server, member);
  expect(after.verification).toEqual(before.verification);
  expect(after.user).toMatchObject({ first_name: 'Grace', last_name: 'Hopper' });
  const { userId, headers } = await signedInAdmin(server);
  const renamed = await rename(server, { id: userId, headers }, { first_name: 'Grace' });
  expect([renamed.statusCode, renamed.json().first_name]).toEqual([200, 'Grace']);
});

test('a check that runs during a name change does not verify the wrong name', async () => {
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answers = [
    Promise.withResolvers<RegistryAnswer>(),
    Promise.withResolvers<RegistryAnswer>(),
  ];
  let calls = 0;
  await using server = await buildTestApp({
    npiRegistry: {
      lookUp() {
        const call = Math.min(calls, 1);
        calls += 1;
        asked[call]?.resolve();
        return answers[call]?.promise ?? Promise.resolve(ADA);
      },
    },
  });
  const joining = newMember(server);
  await asked[0]?.promise;
  const { id } = await server.deps.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await changeNameOf(server, id, 'Mallory');
  answers[0]?.resolve(ADA);
  await asked[1]?.promise;
  // The registry's answer was about the previous name.
  const row = await server.deps.db.selectFrom('doctors').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ ...WITHDRAWN, verification_status: 'pending' });
  answers[1]?.resolve(ADA);
  const member = await joining;
  expect(await settled(server, member)).toMatchObject({
    ...WITHDRAWN,
    verification: { status: 'needs_review', checks: { name_matches: false } },
  });
});

test('the length of a row does not show who has changed a name', async () => {
  await using server = await buildTestApp({ npiRegistry: answering(ADA) });
  const [still, changed] = [
    await newMember(server),
    await newMember(server, { first_name: 'A'.repeat(100), last_name: 'B'.repeat(100) }),
  ];
  await setPermission(server.deps, { actor: 'test' }, changed.id, 'verified', true);
  const lengthOf = async ({ id }: Holder) => {
    const { db } = server.deps;
    const row = await db.selectFrom('users').select('sealed').where('id', '=', id).execute();
    return row[0]?.sealed.length;
  };
  const before = await lengthOf(changed);
  const name = { first_name: 'a'.repeat(100), last_name: 'b'.repeat(100) };
  await rename(server, changed, name);
  expect(await settled(server, changed)).toMatchObject({ verified: true, user: name });
  expect(await lengthOf(changed)).toBe(before);
  expect(await lengthOf(still)).toBe(before);
});

/** Renames like the profile page, before the response to the sign-up has arrived. */
async function changeNameOf({ deps }: TestApp, id: string, first_name: string) {
  const { sealed } = await deps.db
    .selectFrom('users')
    .select('sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const identity = { ...openIdentity(deps.keys, id, sealed), first_name };
  await deps.db
    .updateTable('users')
    .set({ sealed: sealIdentity(deps.keys, id, identity) })
    .where('id', '=', id)
    .execute();
}
