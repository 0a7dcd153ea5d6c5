import { sql } from 'kysely';
import { LOCK_MESSAGES } from '#contract/accounts/accounts.ts';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { castVoteEndpoints, feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, type Site, test as siteTest } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';
import { waitingForLocks } from '../testing/index-keys.ts';
import { isLocked, lock, newPoster, ownIds } from '../testing/locked-account.ts';

const { PASSWORD, deviceOf, isSignedIn, newDevice, refreshWith, refusalOf } = accounts;

const test = siteTest
  .extend('member', ({ site }) => newPoster(site))
  .extend('other', ({ site }) => newPoster(site))
  .extend('employer', ({ site }) => site.employer());

type Device = Pick<accounts.Member, 'headers'>;

const ask = (
  site: Site,
  device: Device,
  { password = PASSWORD, recovery_code = newRecoveryCode() } = {},
) => site.as(device).post(accountEndpoints.lockReviews, { password, recovery_code });
const unlock = (site: Site, device: Device) =>
  site.as(device).post(accountEndpoints.unlockReviews, { password: PASSWORD });
const vote = (site: Site, device: Device, id: string) =>
  site.as(device).post(castVoteEndpoints.helpful, { params: { id } });
const report = (site: Site, device: Device, id: string) =>
  site.as(device).post(feedbackEndpoints.report, { reason: 'other' }, { params: { id } });
const hex = (keys: readonly Buffer[]) => keys.map((key) => key.toString('hex'));

/** The author keys of reviews, and of the votes on them and the reports of them. */
async function storedKeys({ deps }: Site, ids: readonly string[]): Promise<string[]> {
  const { rows } = await deps.database.pool.query(
    `select encode(author_key, 'hex') as key from review_authors where review_id = any ($1)
     union all select encode(voter_key, 'hex') from review_votes where review_id = any ($1)
     union all select encode(reporter_key, 'hex') from review_reports where review_id = any ($1)`,
    [ids],
  );
  return rows.map(({ key }) => key);
}

/** The author key of one review. */
const keyOf = async (site: Site, { id }: { id: string }) => (await storedKeys(site, [id]))[0];

test('no server key finds what a locked account wrote', async ({ site, member, other }) => {
  const own = await site.review({ by: member });
  const others = await site.review({ by: other });
  await vote(site, member, others.id);
  await report(site, member, others.id);
  const { keys } = site.deps;
  const named = hex([
    ...keys.authorKeys(member.id),
    ...keys.deedKeys('vote', member.id, others.id),
    ...keys.deedKeys('report', member.id, others.id),
  ]);
  expect(await storedKeys(site, [own.id, others.id])).toEqual(expect.arrayContaining(named));

  const { status, body } = await ask(site, member);
  expect([status, body.message]).toEqual([200, LOCK_MESSAGES.locked]);
  const locked = deviceOf(body);
  const more = await site.review({ by: locked });
  const all = [own.id, others.id, more.id];
  const stored = await storedKeys(site, all);
  expect(stored).toHaveLength(5);
  const nameable = hex([
    ...keys.authorKeys(member.id),
    ...all.flatMap((id) => keys.deedKeys('vote', member.id, id)),
    ...all.flatMap((id) => keys.deedKeys('report', member.id, id)),
  ]);
  expect(stored.filter((key) => nameable.includes(key))).toEqual([]);
  // The keys of other authors are unchanged.
  expect(stored).toContain(keys.authorKey(other.id).toString('hex'));

  expect(await ownIds(site, locked)).toEqual([own.id, more.id].toSorted());
  const query = { ids: `${others.id},${own.id}` };
  expect((await site.as(locked).get(feedbackEndpoints.ownVotes, { query })).body).toEqual({
    own: [own.id],
    helpful: [others.id],
    not_helpful: [],
    reported: [others.id],
  });
});

test('a dump from before the lock leads to nothing written after', async ({ site, member }) => {
  const before = [await site.review({ by: member }), await site.review({ by: member })] as const;
  const locked = await lock(site, member);
  const after = await site.review({ by: locked });
  const first = await keyOf(site, before[0]);
  expect(first).toBe(await keyOf(site, before[1]));
  expect(await keyOf(site, after)).not.toBe(first);
  // After unlocking and locking again, all of them count as written before the lock.
  const again = await lock(site, deviceOf((await unlock(site, locked)).body));
  expect(await keyOf(site, after)).toBe(await keyOf(site, before[0]));
  expect(await ownIds(site, again)).toHaveLength(3);
});

test('everything works as before, on every device', async ({ site, member, employer }) => {
  const { id } = await site.review({ by: member, at: employer });
  const here = await lock(site, member);
  const there = await newDevice(site, member.email);
  expect([await isLocked(site, here), await isLocked(site, there)]).toEqual([true, true]);
  for (const device of [here, there]) {
    expect(await ownIds(site, device)).toEqual([id]);
    const caller = site.as(device);
    const again = await caller.post(reviewEndpoints.create, reviewOf(employer));
    expect(again.problem).toMatchObject({ code: 'duplicate_review', review_id: id });
    expect((await vote(site, device, id)).problem.code).toBe('own_review');
    const change = reviewOf(employer, { review_text: 'Fewer nights by now.' });
    const edited = await caller.patch(reviewEndpoints.edit, change, { params: { id } });
    expect(edited.status).toBe(200);
    expect((await caller.get(accountEndpoints.export)).body.reviews).toMatchObject([{ id }]);
  }
  // A refreshed session still has the secret.
  const refreshed = deviceOf((await refreshWith(site, there)).body);
  expect(await ownIds(site, refreshed)).toEqual([id]);
  const removal = { password: PASSWORD, reviews: 'delete' } as const;
  expect((await site.as(here).post(accountEndpoints.delete, removal)).status).toBe(200);
  expect(await storedKeys(site, [id])).toEqual([]);
});

test('a lock does not allow a second review of one job', async ({ site, member, employer }) => {
  const before = await site.review({ by: member, at: employer, position_title: 'Resident' });
  const locked = await lock(site, member);
  const after = await site.review({ by: locked, at: employer, position_title: 'Fellow' });
  const change = reviewOf(employer, { position_title: 'FELLOW' });
  const at = { params: { id: before.id } };
  const { problem } = await site.as(locked).patch(reviewEndpoints.edit, change, at);
  expect(problem).toMatchObject({ code: 'duplicate_review', review_id: after.id });
});

test('locking and unlocking end all sessions, which name the author', async ({ site, member }) => {
  const elsewhere = await newDevice(site, member.email);
  const locked = await lock(site, member);
  for (const device of [member, elsewhere]) expect(await isSignedIn(site, device)).toBe(false);
  const second = await newDevice(site, member.email);
  const review = await site.review({ by: second });

  const { status, body } = await unlock(site, locked);
  expect([status, body.message]).toEqual([200, LOCK_MESSAGES.unlocked]);
  for (const device of [locked, second]) expect(await isSignedIn(site, device)).toBe(false);
  const unlocked = deviceOf(body);
  expect(await isLocked(site, unlocked)).toBe(false);
  expect(await ownIds(site, unlocked)).toEqual([review.id]);
  expect(await storedKeys(site, [review.id])).toEqual(hex(site.deps.keys.authorKeys(member.id)));
});

test('a request in progress writes nothing under the earlier keys', async ({ site, member }) => {
  const first = await site.review({ by: member });
  const employers = await Promise.all(Array.from({ length: 6 }, () => site.employer()));
  const write = (employer: number) =>
    site.as(member).post(reviewEndpoints.create, reviewOf(employer));
  const [locking, ...answers] = await Promise.all([
    ask(site, member),
    ...employers.map(write),
    report(site, member, first.id),
  ]);
  const locked = deviceOf(locking.body);
  const posted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status } of refused) expect([401, 403]).toContain(status);
  expect(await ownIds(site, locked)).toHaveLength(posted.length + 1);
  const { rows } = await site.deps.database.pool.query(
    'select from review_authors where author_key = any ($1)',
    [site.deps.keys.authorKeys(member.id)],
  );
  expect(rows).toEqual([]);
});

test('of two locks at once, the last code restores the one secret', async ({ site, member }) => {
  const review = await site.review({ by: member });
  const { db } = site.deps.database.background;
  // Otherwise the first may end the session before the second request is authenticated.
  const { asked } = await db.transaction().execute(async (trx) => {
    await sql`select from users where id = ${member.id} for update`.execute(trx);
    const asked = Promise.all([ask(site, member), ask(site, member)]);
    await expect.poll(() => waitingForLocks(db)).toBe(2);
    return { asked };
  });
  const messages = [LOCK_MESSAGES.locked, LOCK_MESSAGES.codeReplaced].toSorted();
  expect((await asked).map(({ body }) => body.message).toSorted()).toEqual(messages);
  expect(await ownIds(site, await newDevice(site, member.email))).toEqual([review.id]);
});

test('requires a login, the password, and a complete recovery code', async ({ site, member }) => {
  const wrong = await ask(site, member, { password: 'Wrong-password-1' });
  expect(refusalOf(wrong)).toMatchObject({
    status: 400,
    errors: { password: ['Incorrect password.'] },
  });
  const incomplete = 'A recovery code has 25 letters and digits. Please check what you typed.';
  for (const [recovery_code, message] of [
    ['', 'Recovery code is required'],
    ['7K2MD', incomplete],
    ['U'.repeat(25), incomplete],
  ] as const) {
    const answer = await ask(site, member, { recovery_code });
    expect(refusalOf(answer)).toMatchObject({ status: 400, errors: { recovery_code: [message] } });
  }
  expect((await ask(site, { headers: { authorization: '' } })).status).toBe(401);
  expect(await isLocked(site, member)).toBe(false);
});

test('no column shows whether an account is locked', async ({ site, member, other }) => {
  await lock(site, member);
  const rows = [member, other].map(({ id }) => site.rows('users', { id }));
  const [locked, open] = (await Promise.all(rows))
    .flat()
    .map((row) =>
      Object.entries(row).map(([name, value]) => [
        name,
        Buffer.isBuffer(value) ? value.length : typeof value,
      ]),
    );
  expect(rows).toHaveLength(2);
  expect(locked).toEqual(open);
});

test('several locks within minutes share one rewrite', async ({ site, member, other }) => {
  const { pool } = site.deps.database;
  for (const one of [member, other]) await lock(site, await lock(site, one));
  const { rows } = await pool.query(
    "select extract(epoch from start_after - now()) as wait from pgboss.job where name = 'rewrite'",
  );
  // Two if a time slot ended in between.
  expect([1, 2]).toContain(rows.length);
  for (const { wait } of rows) expect(Number(wait)).toBeGreaterThan(300);
});
