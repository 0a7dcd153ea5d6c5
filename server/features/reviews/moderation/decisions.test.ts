import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { logOf } from '#server/testing/factories.ts';
import { at, expect, invalid, type Site, test as siteTest } from '#server/testing/site.ts';
import { caseIdAbout, isPublic, listedReview, report } from '../testing/moderation.ts';

const { remove, hold, restore, keep } = moderationEndpoints;

const test = siteTest
  .extend('account', ({ site }) => site.admin())
  .extend('admin', ({ site, account }) => site.as(account))
  .extend('other', async ({ site }) => site.as(await site.admin()))
  .extend('author', ({ site }) => site.doctor())
  .extend('id', async ({ site, author }) => (await site.review({ by: author })).id);

const decisionsOf = async (site: Site, id: string) => {
  const decisions = await site.rows('review_decisions', { review_id: id });
  return decisions.toSorted((one, other) => one.number - other.number);
};

test('stores decisions with rule, text, source, in order', async ({ site, account, admin, id }) => {
  await report(site, id);
  const reason = 'It names a colleague.';
  const steps = [
    await admin.post(remove, { reason, rule: 'private_persons' }, at(id)),
    await admin.post(restore, { note: 'Sorry.' }, at(id)),
    await admin.post(hold, { reason, rule: 'abuse', source: 'screening' }, at(id)),
  ];
  expect(steps.map(({ status }) => status)).toEqual([200, 200, 200]);
  const stored = [
    { outcome: 'remove', rule: 'private_persons', note: reason, source: 'report' },
    { outcome: 'restore', rule: 'general', note: 'Sorry.', source: 'moderator' },
    { outcome: 'hold', rule: 'abuse', note: reason, source: 'screening' },
  ];
  expect(await decisionsOf(site, id)).toMatchObject(
    stored.map((one, index) => ({ number: index + 1, ...one, decided_by: account.userId })),
  );
  expect(await isPublic(site, id)).toBe(false);
});

test('removing or holding needs a text for the author, and a rule', async ({ site, admin, id }) => {
  for (const act of [remove, hold]) {
    const { problem } = await admin.post(act, { reason: ' ', rule: 'abuse' }, at(id));
    expect(problem).toMatchObject({ status: 400, errors: { reason: ['Please give a reason'] } });
    const unknown = invalid({ reason: 'x', rule: 'unknown' });
    expect((await admin.post(act, unknown, at(id))).status).toBe(400);
  }
  expect(await isPublic(site, id)).toBe(true);
});

test('a closed report names its day and its decision', async ({ site, admin, id }) => {
  await report(site, id);
  await report(site, id);
  await admin.post(keep, null, at(id));
  const closed = { closed: true, closed_on: site.time.now.toISOString().slice(0, 10), decision: 1 };
  expect(await site.rows('review_reports', { review_id: id })).toMatchObject([closed, closed]);
});

test('two administrators never decide one case twice', async ({ site, admin, other, author }) => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await site.review({ by: author });
    await report(site, id);
    const case_id = await caseIdAbout(site, 'report', id);
    const answers = await Promise.all([
      admin.post(remove, { reason: 'x', case_id }, at(id)),
      other.post(keep, { case_id }, at(id)),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.problem.code).toBe('case_closed');
    expect(await decisionsOf(site, id)).toHaveLength(1);
  }
});

test('a moderator deleted at the same time has decided nothing', async ({ site, id }) => {
  const leaving = await site.admin();
  const { db } = site.deps;
  const answer = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('reviews').select('id').where('id', '=', id).forUpdate().execute();
    const request = site.as(leaving).post(keep, null, at(id));
    await expect.poll(() => waitingForLocks(db)).toBeGreaterThan(0);
    await trx.deleteFrom('users').where('id', '=', leaving.userId).execute();
    return { request };
  });
  const { problem } = await answer.request;
  expect(problem).toMatchObject({ status: 401, code: 'authentication_required' });
  expect(await decisionsOf(site, id)).toEqual([]);
});

test('nobody can decide a case claimed by another', async ({ site, account, admin, other, id }) => {
  await report(site, id);
  const case_id = await caseIdAbout(site, 'report', id);
  const held_until = new Date(site.time.now.getTime() + 60_000);
  await site.change('cases', { id: case_id }, { holder: account.userId, held_until });
  const { problem } = await other.post(remove, { reason: 'x', case_id }, at(id));
  expect(problem).toMatchObject({ status: 409, code: 'case_claimed' });
  expect(await isPublic(site, id)).toBe(true);
  expect(await decisionsOf(site, id)).toEqual([]);
  expect((await admin.post(keep, { case_id }, at(id))).status).toBe(200);
});

test('no number of reports hides a review', async ({ site, admin, id }) => {
  for (let times = 0; times < 25; times += 1) await report(site, id);
  expect(await isPublic(site, id)).toBe(true);
  expect((await listedReview(admin, id))?.reports).toHaveLength(25);
});

test('of a deleted review, the log has rule and outcome', async ({ site, admin, author, id }) => {
  const removal = { reason: 'A secret of the author.', rule: 'confidential' } as const;
  await admin.post(remove, removal, at(id));
  expect((await site.as(author).delete(reviewEndpoints.delete, at(id))).status).toBe(204);
  expect(await decisionsOf(site, id)).toEqual([]);
  const details = { rule: 'confidential', source: 'moderator' };
  const entry = { action: 'review.remove', details };
  expect(await logOf(site, id, 'action', 'details')).toEqual([entry]);
});

test('of two moderators with one list, the first decides', async ({ site, admin, other, id }) => {
  await report(site, id);
  const case_id = (await listedReview(admin, id))?.case_id ?? undefined;
  expect((await listedReview(other, id))?.case_id).toBe(case_id);
  expect(await caseIdAbout(site, 'report', id)).toBe(case_id);
  expect((await admin.post(keep, { case_id }, at(id))).status).toBe(200);
  const { problem } = await other.post(remove, { reason: 'x', case_id }, at(id));
  expect(problem).toMatchObject({ status: 409, code: 'case_closed' });
  expect(await isPublic(site, id)).toBe(true);
  // A review without an open case can still be decided.
  expect((await other.post(remove, { reason: 'x' }, at(id))).status).toBe(200);

  // A hidden review has no case. It is published once.
  expect((await admin.post(restore, null, at(id))).status).toBe(200);
  const again = await other.post(restore, null, at(id));
  expect(again.problem).toMatchObject({ status: 409, code: 'case_closed' });
});

test('of two moderators with one page, the first one removes', async ({
  site,
  admin,
  other,
  id,
}) => {
  await report(site, id);
  const version = (await listedReview(admin, id))?.version;
  const [first, second] = [{ reason: 'It names a nurse.' }, { reason: 'Abusive.' }];
  expect((await admin.post(remove, { ...first, version }, at(id))).status).toBe(200);
  const { problem } = await other.post(remove, { ...second, version }, at(id));
  expect(problem).toMatchObject({ status: 409, code: 'changed_meanwhile' });
  expect(await decisionsOf(site, id)).toMatchObject([{ note: first.reason }]);
});
