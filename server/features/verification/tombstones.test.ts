import { randomBytes } from 'node:crypto';
import { expect, test as plainTest } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { newNpi, POSTER, type TestAccount } from '#server/testing/factories.ts';
import { registryOf } from '#server/testing/matched-doctor.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { ban, setPermission, unban } from './administration.ts';
import type { NewProof } from './proofs.ts';
import { ADA, byTwo, claim, doctorOf, leave, post, prove, standing } from './testing/claimants.ts';
import { monthsFrom, rekeyTombstones, tombstoneOf } from './tombstones.ts';

const PROOF = { config: { verification: 'proof' }, npiRegistry: registryOf(ADA) } as const;
const test = testWith(PROOF).extend('npi', () => newNpi());

const DECISION = { actor: 'cli', reason: 'reviews for money' };

const banByTwo = (site: Site, { userId }: TestAccount) =>
  byTwo(site, (actor) => ban(site.deps, { ...DECISION, actor }, userId));

const [MAILBOX, LETTER] = [{ kind: 'mailbox' }, { kind: 'letter' }] as const;

async function proven(site: Site, npi: string, proof: NewProof = LETTER): Promise<TestAccount> {
  const member = await claim(site, npi);
  await prove(site, member, proof);
  return member;
}

/** The account ends, and leaves its review behind. */
async function postAndLeave(site: Site, member: TestAccount) {
  await post(site, member);
  await leave(site, member, 'keep');
}

const tombstone = ({ deps }: Site, npi: string) => tombstoneOf(deps.keys, deps.db, npi, 'weak');

async function later(site: Site, day: string) {
  site.time.now = new Date(day);
  await site.run('retention');
}

plainTest.each([
  ['2026-11-22T12:00:00Z', 12, '2027-12-01'],
  ['2026-12-31T23:59:59Z', 12, '2028-01-01'],
  ['2026-01-01T00:00:00Z', 1, '2026-03-01'],
])('from %s, %i full months end on %s', (now, months, end) => {
  expect(monthsFrom(new Date(now), months)).toBe(end);
});

test('an author who left reviews behind may not post for 12 months', async ({ site, npi }) => {
  const ada = await proven(site, npi);
  expect(await post(site, ada)).toBe(201);
  expect((await leave(site, ada, 'keep')).status).toBe(200);

  const again = await proven(site, npi);
  const posting_from = monthsFrom(site.time.now, 12);
  const paused = { verified: true, can_post_reviews: false, verification: { posting_from } };
  expect(await doctorOf(site, again)).toMatchObject(paused);
  expect(await post(site, again)).toBe(403);
  // Deleting that account, too, does not help.
  await leave(site, again, 'delete');
  const third = await proven(site, npi);
  expect(await post(site, third)).toBe(403);

  // By then, the session has ended.
  const { keys, db } = site.deps;
  const profile = async () => (await loadProfile(keys, db, third.userId))?.doctor;
  await later(site, new Date(Date.parse(posting_from) - DAY_MS).toISOString());
  expect((await profile())?.can_post_reviews).toBe(false);
  await later(site, posting_from);
  expect((await profile())?.can_post_reviews).toBe(true);
  expect((await profile())?.verification.posting_from).toBeUndefined();
  expect(await tombstone(site, npi)).toBeNull();
});

plainTest('rewrites the tables soon after somebody leaves a tombstone, and only then', async () => {
  const site = await newSite(PROOF);
  const rewrites = async () => {
    const { rows } = await site.deps.database.pool.query<{ seconds: number }>(
      `select extract(epoch from start_after - created_on)::int as seconds
       from pgboss.job where name = 'rewrite' and state = 'created'`,
    );
    return rows.map(({ seconds }) => seconds);
  };
  const [reader, author] = [await proven(site, newNpi()), await proven(site, newNpi())];
  await leave(site, reader, 'keep');
  expect(await rewrites()).toEqual([]);
  await postAndLeave(site, author);
  expect(await rewrites()).toEqual([600]);
});

test('an author cannot post until deleted reviews are all gone', async ({ site, npi }) => {
  const ada = await proven(site, npi);
  await post(site, ada);
  await leave(site, ada, 'delete_gradually');
  const { verification } = await doctorOf(site, await proven(site, npi));
  expect(verification.posting_from).toBe(monthsFrom(site.time.now, 1));
});

test('an account without reviews leaves no tombstone', async ({ site }) => {
  for (const reviews of ['delete', 'delete_gradually', 'keep'] as const) {
    const npi = newNpi();
    await leave(site, await proven(site, npi), reviews);
    expect(await tombstone(site, npi), reviews).toBeNull();
    expect(await post(site, await proven(site, npi)), reviews).toBe(201);
  }
});

test('a ban outlives the account and any later proofs', async ({ site, npi }) => {
  const { deps } = site;
  const ada = await proven(site, npi);
  expect(await banByTwo(site, ada)).toEqual({ npi: true });
  expect(await doctorOf(site, ada)).toMatchObject({ verified: false, can_post_reviews: false });
  await leave(site, ada, 'delete');

  const again = await claim(site, npi);
  // Without a proof, a banned number looks like any other.
  expect((await doctorOf(site, again)).verification.status).toBe('needs_proof');
  await prove(site, again);
  expect(await doctorOf(site, again)).toMatchObject(standing('needs_review'));
  const verify = () => setPermission(deps, DECISION, again.userId, 'verified', true);
  await expect(verify()).rejects.toMatchObject({ code: 'npi_banned' });

  const decision = { ...DECISION, actor: crypto.randomUUID() };
  expect(await unban(deps, decision, npi)).toBe(true);
  expect(await unban(deps, decision, npi)).toBe(false);
  await verify();
  expect(await doctorOf(site, again)).toMatchObject({ verified: true });
  const acts = await site.rows('audit_log', { actor: decision.actor }, ['action', 'subject']);
  expect(acts).toEqual([{ action: 'doctor.unban', subject: 'npi' }]);
});

test('where proof is required, a ban without one does not ban the NPI', async ({ site, npi }) => {
  const impostor = await claim(site, npi);
  expect(await ban(site.deps, DECISION, impostor.userId)).toEqual({ npi: false });
  expect(await doctorOf(site, await proven(site, npi))).toMatchObject({ verified: true });
});

test('an account refused by an administrator still leaves a tombstone', async ({ site, npi }) => {
  const ada = await proven(site, npi);
  await post(site, ada);
  await byTwo(site, (actor) => setPermission(site.deps, { actor }, ada.userId, 'verified', false));
  await leave(site, ada, 'keep');
  expect(await post(site, await proven(site, npi))).toBe(403);
});

test('a ban stays a ban when reviews are left behind', async ({ site, npi }) => {
  const ada = await proven(site, npi);
  await post(site, ada);
  await banByTwo(site, ada);
  await leave(site, ada, 'keep');
  expect(await tombstone(site, npi)).toEqual({ kind: 'banned', ends_on: null });
});

for (const isBanned of [false, true]) {
  const title = isBanned ? 'a banned mailbox' : 'a mailbox that left reviews';
  test(`${title} has no tombstone against a letter or a verifier`, async ({ site, npi }) => {
    const impostor = await proven(site, npi, MAILBOX);
    expect(await post(site, impostor)).toBe(201);
    if (isBanned) expect(await banByTwo(site, impostor)).toEqual({ npi: true });
    await leave(site, impostor, isBanned ? 'delete' : 'keep');

    const owner = await proven(site, npi);
    expect(await doctorOf(site, owner)).toMatchObject({ verified: true, can_post_reviews: true });
    expect(await post(site, owner)).toBe(201);
    await leave(site, owner, 'delete');
    const judged = await claim(site, npi);
    for (const permission of ['verified', 'can_post_reviews'] as const) {
      await setPermission(site.deps, DECISION, judged.userId, permission, true);
    }
    expect(await post(site, judged)).toBe(201);
    await leave(site, judged, 'delete');

    // Against another mailbox, it does.
    const again = await doctorOf(site, await proven(site, npi, MAILBOX));
    expect(again).toMatchObject({ verified: !isBanned, can_post_reviews: false });
  });
}

test('a verifier ends the pause after a mailbox, but not after a letter', async ({ site, npi }) => {
  const paused = async (proof: NewProof) => {
    await postAndLeave(site, await proven(site, npi, proof));
    const again = await proven(site, npi, MAILBOX);
    const reader = { verified: true, can_post_reviews: false };
    const verification = { posting_from: expect.any(String) };
    expect(await doctorOf(site, again)).toMatchObject({ ...reader, verification });
    await setPermission(site.deps, DECISION, again.userId, 'verified', true);
    const { can_post_reviews } = await doctorOf(site, again);
    await leave(site, again, 'delete');
    return !can_post_reviews;
  };
  expect(await paused(MAILBOX)).toBe(false);
  expect(await paused(LETTER)).toBe(true);
});

test('two tombstones of one NPI look unrelated, and survive a rotation', async ({ site, npi }) => {
  const { db } = site.deps;
  await db.deleteFrom('npi_tombstones').execute();
  for (const proof of [MAILBOX, LETTER]) {
    const member = await proven(site, npi, proof);
    await site.change('doctors', { user_id: member.userId }, POSTER);
    await postAndLeave(site, member);
  }
  const rows = await site.rows('npi_tombstones');
  expect(new Set(rows.map(({ npi_index }) => npi_index.toString('hex'))).size).toBe(2);
  expect(new Set(rows.map(({ sealed }) => sealed.length)).size).toBe(1);
  const { secrets } = site.deps.config;
  const sealing = [{ id: 'next', key: randomBytes(32) }, ...secrets.sealing];
  const next = deriveKeys({ ...secrets, sealing });
  expect(await rekeyTombstones({ db, keys: next })).toBe(2);
  for (const strength of ['strong', 'weak'] as const) {
    expect((await tombstoneOf(next, db, npi, strength))?.kind).toBe('left_reviews');
  }
});
