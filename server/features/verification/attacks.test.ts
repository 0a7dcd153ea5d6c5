import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import {
  bearer,
  logIn,
  type Member,
  PASSWORD,
  send,
} from '#server/features/accounts/testing/account-flows.ts';
import { nodeAt } from '#server/features/accounts/testing/index-keys.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer, newNpi, reviewOf } from '#server/testing/factories.ts';
import { ban, setPermission } from './administration.ts';
import { holdClaim } from './claims.ts';
import { claim, doctorOf, prove, serverWith } from './testing/claimants.ts';
import { banNpi, leaveTombstone, tombstoneOf } from './tombstones.ts';

const DECISION = { actor: 'cli', reason: 'a test' };
const DAY_MS = 86_400_000;

const rename = async (server: TestApp, member: Member, name: object) => {
  const answer = await send(server, `/users/${member.id}/`, name, { ...member, method: 'PATCH' });
  expect(answer.statusCode).toBe(200);
  await server.jobs.idle();
};

const checkAgain = async (server: TestApp, member: Member) => {
  await send(server, '/verification/check/', {}, member);
  await server.jobs.idle();
};

const post = async (server: TestApp, member: Member) =>
  (await send(server, '/reviews/', reviewOf(await newEmployer(server)), member)).statusCode;

const leave = (server: TestApp, member: Member) =>
  send(server, '/auth/delete-account/', { password: PASSWORD, reviews: 'keep' }, member);

const steps = async ({ app }: TestApp, { headers }: Member) =>
  (await app.inject({ url: '/api/verification/', headers })).json();

const tombstones = ({ deps }: TestApp) =>
  deps.db.selectFrom('npi_tombstones').select(['kind']).execute();

test('a proof after a name change does not count for a name that is not in the registry', async () => {
  await using server = await serverWith('proof');
  const mallory = await claim(server, newNpi());
  await rename(server, mallory, { first_name: 'Grace', last_name: 'Hopper' });
  await expect(prove(server, mallory)).rejects.toMatchObject({ code: 'nothing_to_prove' });
  expect(await doctorOf(server, mallory)).toMatchObject({
    verified: false,
    verification: { status: 'needs_review', checks: { name_matches: false } },
  });
  await rename(server, mallory, { first_name: 'Ada', last_name: 'Example' });
  await prove(server, mallory);
  expect(await doctorOf(server, mallory)).toMatchObject({ verified: true });
});

test('a decision about posting outlasts a tombstone and a proof', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const first = await claim(server, npi);
  await post(server, first);
  await leave(server, first);
  const again = await claim(server, npi);
  const { posting_from } = (await doctorOf(server, again)).verification;
  expect(posting_from).toBeDefined();
  await setPermission(server.deps, DECISION, again.id, 'can_post_reviews', false);
  expect((await doctorOf(server, again)).verification.posting_from).toBeUndefined();
  await prove(server, again);
  expect(await doctorOf(server, again)).toMatchObject({ verified: true, can_post_reviews: false });
  expect((await doctorOf(server, again)).verification.posting_from).toBeUndefined();
});

test('banning an account that also proved an NPI does not ban the NPI of its holder', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const [owner, impostor] = [await claim(server, npi), await claim(server, npi)];
  await prove(server, owner);
  await prove(server, impostor);
  expect(await ban(server.deps, DECISION, impostor.id)).toEqual({ npi: false });
  expect(await tombstones(server)).toEqual([]);
  await checkAgain(server, impostor);
  expect(await doctorOf(server, impostor)).toMatchObject({
    verified: false,
    verification: { status: 'needs_review' },
  });
  await rename(server, owner, { first_name: 'Ada', last_name: 'Exampel' });
  await rename(server, owner, { first_name: 'Ada', last_name: 'Example' });
  expect(await doctorOf(server, owner)).toMatchObject({ verified: true });
});

test('banning an account that lost the NPI and then proved it too lets its reviews be held', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const [impostor, owner] = [await claim(server, npi), await claim(server, npi)];
  await post(server, impostor);
  await prove(server, owner);
  await prove(server, impostor);
  await ban(server.deps, DECISION, impostor.id);
  // Reviews are not held while an administrator must decide. Here the ban was the decision.
  expect((await doctorOf(server, impostor)).verification.proofs).toEqual([]);
  expect((await steps(server, impostor)).prove_by).not.toBeNull();
});

test('of two accounts that proved an NPI, the later one is not verified while the first changes names', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const joined = await claim(server, npi);
  await prove(server, joined);
  server.time.now = new Date(server.time.now.getTime() + DAY_MS);
  const { access } = (await logIn(server, joined.email, PASSWORD)).json();
  const owner = { ...joined, headers: bearer(access) };
  const impostor = await claim(server, npi);
  await prove(server, impostor);
  await rename(server, owner, { last_name: 'Newlywed' });
  expect(await doctorOf(server, owner)).toMatchObject({ verified: false });
  await checkAgain(server, impostor);
  expect(await doctorOf(server, impostor)).toMatchObject({
    verified: false,
    verification: { status: 'needs_review' },
  });
  // The first account keeps its precedence.
  await rename(server, owner, { last_name: 'Example' });
  expect(await doctorOf(server, owner)).toMatchObject({ verified: true });
  expect(await doctorOf(server, impostor)).toMatchObject({ verified: false });
});

test('with proof required, an account that was only matched leaves no tombstone', async () => {
  await using server = await serverWith('proof');
  const impostor = await claim(server, newNpi());
  // As the mode `registry` left it.
  await server.deps.db
    .updateTable('doctors')
    .set({ verified: true, can_post_reviews: true, verification_status: 'passed' })
    .execute();
  expect(await post(server, impostor)).toBe(201);
  expect((await leave(server, impostor)).statusCode).toBe(200);
  expect(await tombstones(server)).toEqual([]);
});

test('reading the steps does not wait for decisions about the NPI', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const [ada, other] = [await claim(server, npi), await claim(server, npi)];
  await inTransaction(server.deps.db, async (trx) => {
    await holdClaim(server.deps.keys, trx, other.id);
    await holdClaim(server.deps.keys, trx, ada.id);
    expect(await steps(server, ada)).toMatchObject({ letter_from: expect.any(String) });
  });
});

test('of two tombstones under two index keys, the ban takes precedence', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  for (const [first, second] of [
    ['before', 'after'],
    ['after', 'before'],
  ] as const) {
    await server.deps.db.deleteFrom('npi_tombstones').execute();
    await leaveTombstone(nodeAt(server.deps, first), server.deps.db, npi, 'keep');
    await banNpi(nodeAt(server.deps, second).keys, server.deps.db, npi);
    const found = await tombstoneOf(nodeAt(server.deps, 'rotating').keys, server.deps.db, npi);
    expect(found?.kind).toBe('banned');
  }
});
