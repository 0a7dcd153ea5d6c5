import { expect, test } from 'vitest';
import { loadProfile } from '#server/features/accounts/service.ts';
import {
  type Member,
  PASSWORD,
  refusalOf,
  send,
} from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer, newNpi, reviewOf } from '#server/testing/factories.ts';
import { ban, setPermission, unban } from './administration.ts';
import { claim, doctorOf, prove, serverWith } from './testing/claimants.ts';
import { monthsFrom } from './tombstones.ts';

const DECISION = { actor: 'cli', reason: 'reviews for money' };
const DAY_MS = 86_400_000;

const post = async (server: TestApp, member: Member) =>
  (await send(server, '/reviews/', reviewOf(await newEmployer(server)), member)).statusCode;

const leave = (server: TestApp, member: Member, reviews: string) =>
  send(server, '/auth/delete-account/', { password: PASSWORD, reviews }, member);

async function proven(server: TestApp, npi: string): Promise<Member> {
  const member = await claim(server, npi);
  await prove(server, member);
  return member;
}

async function later(server: TestApp, day: string) {
  server.time.now = new Date(day);
  await server.deps.jobs.enqueue(server.deps.db, 'retention', {});
  await server.jobs.idle();
}

test.each([
  ['2026-11-22T12:00:00Z', 12, '2027-12-01'],
  ['2026-12-31T23:59:59Z', 12, '2028-01-01'],
  ['2026-01-01T00:00:00Z', 1, '2026-03-01'],
])('from %s, %i full months end on %s', (now, months, end) => {
  expect(monthsFrom(new Date(now), months)).toBe(end);
});

test('an author who leaves reviews behind may return and read, but not post for 12 months', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const ada = await proven(server, npi);
  expect(await post(server, ada)).toBe(201);
  expect((await leave(server, ada, 'keep')).statusCode).toBe(200);

  const again = await proven(server, npi);
  const posting_from = monthsFrom(server.time.now, 12);
  expect(await doctorOf(server, again)).toMatchObject({
    verified: true,
    can_post_reviews: false,
    verification: { posting_from },
  });
  expect(await post(server, again)).toBe(403);
  // Deleting that account, too, does not help.
  await leave(server, again, 'delete');
  const third = await proven(server, npi);
  expect(await post(server, third)).toBe(403);

  // By then, the session has ended.
  const profile = async () =>
    (await loadProfile(server.deps.keys, server.deps.db, third.id))?.doctor;
  await later(server, new Date(Date.parse(posting_from) - DAY_MS).toISOString());
  expect((await profile())?.can_post_reviews).toBe(false);
  await later(server, posting_from);
  expect((await profile())?.can_post_reviews).toBe(true);
  expect((await profile())?.verification.posting_from).toBeUndefined();
  expect(await server.deps.db.selectFrom('npi_tombstones').selectAll().execute()).toEqual([]);
});

test('rewrites the tables soon after somebody leaves a tombstone, and only then', async () => {
  await using server = await serverWith('proof');
  const rewrites = async () => {
    const { rows } = await server.deps.database.pool.query<{ seconds: number }>(
      `select extract(epoch from start_after - created_on)::int as seconds
       from pgboss.job where name = 'rewrite' and state = 'created'`,
    );
    return rows.map(({ seconds }) => seconds);
  };
  const [reader, author] = [await proven(server, newNpi()), await proven(server, newNpi())];
  await leave(server, reader, 'keep');
  expect(await rewrites()).toEqual([]);
  await post(server, author);
  await leave(server, author, 'keep');
  expect(await rewrites()).toEqual([600]);
});

test('an author whose reviews are deleted one by one cannot post until they are gone', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const ada = await proven(server, npi);
  await post(server, ada);
  await leave(server, ada, 'delete_gradually');
  const { verification } = await doctorOf(server, await proven(server, npi));
  expect(verification.posting_from).toBe(monthsFrom(server.time.now, 1));
});

test.each(['delete', 'delete_gradually', 'keep'])(
  'an account without reviews leaves no tombstone: %s',
  async (reviews) => {
    await using server = await serverWith('proof');
    const npi = newNpi();
    await leave(server, await proven(server, npi), reviews);
    expect(await post(server, await proven(server, npi))).toBe(201);
  },
);

test('a ban outlives the account and any later proofs', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const ada = await proven(server, npi);
  expect(await ban(server.deps, DECISION, ada.id)).toEqual({ npi: true });
  expect(await doctorOf(server, ada)).toMatchObject({ verified: false, can_post_reviews: false });
  await leave(server, ada, 'delete');

  const again = await claim(server, npi);
  // Without a proof, a banned number looks like any other.
  expect((await doctorOf(server, again)).verification.status).toBe('needs_proof');
  await prove(server, again);
  expect(await doctorOf(server, again)).toMatchObject({
    verified: false,
    verification: { status: 'needs_review' },
  });
  const verdict = setPermission(server.deps, DECISION, again.id, 'verified', true);
  await expect(verdict).rejects.toMatchObject({ code: 'npi_banned' });

  expect(await unban(server.deps, DECISION, npi)).toBe(true);
  expect(await unban(server.deps, DECISION, npi)).toBe(false);
  await setPermission(server.deps, DECISION, again.id, 'verified', true);
  expect(await doctorOf(server, again)).toMatchObject({ verified: true });
  const log = await server.deps.db.selectFrom('audit_log').select(['action', 'subject']).execute();
  expect(log.find(({ action }) => action === 'doctor.unban')?.subject).toBe('npi');
});

test('with proof required, banning an account without a proof does not ban its NPI', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const impostor = await claim(server, npi);
  expect(await ban(server.deps, DECISION, impostor.id)).toEqual({ npi: false });
  expect(await doctorOf(server, await proven(server, npi))).toMatchObject({ verified: true });
});

test('banning an account that only claims an NPI does not ban the NPI of its holder', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const holder = await proven(server, npi);
  const claimant = await proven(server, npi);
  expect(await ban(server.deps, DECISION, claimant.id)).toEqual({ npi: false });
  expect(await server.deps.db.selectFrom('npi_tombstones').selectAll().execute()).toEqual([]);
  expect(await doctorOf(server, holder)).toMatchObject({ verified: true });
});

test('an account refused by an administrator still leaves a tombstone', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const ada = await proven(server, npi);
  await post(server, ada);
  await setPermission(server.deps, DECISION, ada.id, 'verified', false);
  await leave(server, ada, 'keep');
  expect(await post(server, await proven(server, npi))).toBe(403);
});

test('a ban stays a ban when reviews are left behind', async () => {
  await using server = await serverWith('proof');
  const npi = newNpi();
  const ada = await proven(server, npi);
  await post(server, ada);
  await ban(server.deps, DECISION, ada.id);
  await leave(server, ada, 'keep');
  const [tombstone] = await server.deps.db.selectFrom('npi_tombstones').selectAll().execute();
  expect(tombstone).toMatchObject({ kind: 'banned', ends_on: null });
});

test('an account that lost its NPI to a proof cannot leave reviews behind under it', async () => {
  await using server = await serverWith('registry');
  const npi = newNpi();
  const impostor = await claim(server, npi);
  await post(server, impostor);
  await proven(server, npi);
  const refused = await leave(server, impostor, 'keep');
  expect(refusalOf(refused)).toMatchObject({
    code: 'validation_error',
    errors: { reviews: ['Someone else has proven to hold your NPI, so your reviews cannot stay.'] },
  });
  expect((await leave(server, impostor, 'delete_gradually')).statusCode).toBe(200);
  expect(await server.deps.db.selectFrom('npi_tombstones').selectAll().execute()).toEqual([]);
});
