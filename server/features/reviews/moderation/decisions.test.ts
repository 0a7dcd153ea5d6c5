import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ListedReview } from '#contract/review-moderation.ts';
import type { Review } from '#contract/reviews.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let admin: TestAccount;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  admin = await signedInAdmin(server);
  author = await signedInDoctor(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (url: string, account: TestAccount, payload?: object) =>
  server.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: account.headers,
    ...(payload && { payload }),
  });
const decide = (id: string, act: string, payload?: object, by = admin) =>
  send(`/admin/reviews/${id}/${act}/`, by, payload);

async function newReview(): Promise<string> {
  const review = reviewOf(await newEmployer(server));
  return (await send('/reviews/', author, review)).json<Review>().id;
}
async function report(id: string, times = 1) {
  for (let at = 0; at < times; at += 1) {
    const reporter = await signedInDoctor(server, {});
    expect((await send(`/reviews/${id}/report/`, reporter, { reason: 'abusive' })).statusCode).toBe(
      200,
    );
  }
}
const caseOf = (id: string) =>
  server.deps.db
    .selectFrom('cases')
    .select('id')
    .where('review_id', '=', id)
    .where('kind', '=', 'report')
    .executeTakeFirstOrThrow();
const decisionsOf = (id: string) =>
  server.deps.db
    .selectFrom('review_decisions')
    .select(['number', 'outcome', 'rule', 'note', 'source', 'decided_by'])
    .where('review_id', '=', id)
    .orderBy('number')
    .execute();
const isPublic = async (id: string) =>
  (await server.app.inject(`/api/reviews/${id}/`)).statusCode === 200;

test('stores each decision with rule, text, and source, in their order', async () => {
  const id = await newReview();
  await report(id);
  const reason = 'It names a colleague.';
  expect((await decide(id, 'remove', { reason, rule: 'private_persons' })).statusCode).toBe(200);
  expect((await decide(id, 'restore', { note: 'Sorry.' })).statusCode).toBe(200);
  expect(
    (await decide(id, 'hold', { reason, rule: 'abuse', source: 'screening' })).statusCode,
  ).toBe(200);
  const decided_by = admin.userId;
  expect(await decisionsOf(id)).toEqual([
    {
      number: 1,
      outcome: 'remove',
      rule: 'private_persons',
      note: reason,
      source: 'report',
      decided_by,
    },
    {
      number: 2,
      outcome: 'restore',
      rule: 'general',
      note: 'Sorry.',
      source: 'moderator',
      decided_by,
    },
    { number: 3, outcome: 'hold', rule: 'abuse', note: reason, source: 'screening', decided_by },
  ]);
  expect(await isPublic(id)).toBe(false);
});

test('a decision to remove or hold needs a text for the author, and a rule of the guidelines', async () => {
  const id = await newReview();
  for (const act of ['remove', 'hold']) {
    const empty = await decide(id, act, { reason: ' ', rule: 'abuse' });
    expect([empty.statusCode, empty.json().errors]).toEqual([
      400,
      { reason: ['Please give a reason'] },
    ]);
    expect((await decide(id, act, { reason: 'x', rule: 'unknown' })).statusCode).toBe(400);
  }
  expect(await isPublic(id)).toBe(true);
});

test('a closed report names its day and its decision', async () => {
  const id = await newReview();
  await report(id, 2);
  await decide(id, 'keep');
  const reports = await server.deps.db
    .selectFrom('review_reports')
    .select(['closed', 'closed_on', 'decision'])
    .where('review_id', '=', id)
    .execute();
  const closed_on = server.time.now.toISOString().slice(0, 10);
  expect(reports).toEqual(Array(2).fill({ closed: true, closed_on, decision: 1 }));
});

test('two simultaneous administrators never decide one case twice', async () => {
  const other = await signedInAdmin(server);
  for (let round = 0; round < 10; round += 1) {
    const id = await newReview();
    await report(id);
    const { id: case_id } = await caseOf(id);
    const answers = await Promise.all([
      decide(id, 'remove', { reason: 'x', case_id }, admin),
      decide(id, 'keep', { case_id }, other),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const loser = answers.find(({ statusCode }) => statusCode === 409);
    expect(loser?.json().code).toBe('case_closed');
    expect(await decisionsOf(id)).toHaveLength(1);
  }
});

test('a moderator whose account is deleted at the same time has decided nothing', async () => {
  const id = await newReview();
  const leaving = await signedInAdmin(server);
  const { db } = server.deps;
  const answer = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('reviews').select('id').where('id', '=', id).forUpdate().execute();
    const request = decide(id, 'keep', undefined, leaving);
    await vi.waitUntil(async () => (await waitingForLocks(db)) > 0);
    await trx.deleteFrom('users').where('id', '=', leaving.userId).execute();
    return { request };
  });
  const { statusCode, ...refused } = await answer.request;
  expect([statusCode, refused.json().code]).toEqual([401, 'authentication_required']);
  expect(await decisionsOf(id)).toEqual([]);
});

test('nobody can decide a case that another administrator has claimed', async () => {
  const id = await newReview();
  await report(id);
  const other = await signedInAdmin(server);
  const { id: case_id } = await caseOf(id);
  const held_until = new Date(server.time.now.getTime() + 60_000);
  await server.deps.db
    .updateTable('cases')
    .set({ holder: other.userId, held_until })
    .where('id', '=', case_id)
    .execute();
  const refused = await decide(id, 'remove', { reason: 'x', case_id });
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'case_claimed']);
  expect(await isPublic(id)).toBe(true);
  expect(await decisionsOf(id)).toEqual([]);
  expect((await decide(id, 'keep', { case_id }, other)).statusCode).toBe(200);
});

test('no number of reports hides a review', async () => {
  const id = await newReview();
  await report(id, 25);
  expect(await isPublic(id)).toBe(true);
  const { reports } = (
    await server.app.inject({ url: '/api/admin/reports/', headers: admin.headers })
  )
    .json()
    .results.find(({ review }: { review: Review }) => review.id === id);
  expect(reports).toHaveLength(25);
});

test('deleting a review deletes its decisions, and leaves rule and outcome in the log', async () => {
  const id = await newReview();
  await decide(id, 'remove', { reason: 'A secret of the author.', rule: 'confidential' });
  const url = `/api/reviews/${id}/`;
  const deleted = await server.app.inject({ method: 'DELETE', url, headers: author.headers });
  expect(deleted.statusCode).toBe(204);
  expect(await decisionsOf(id)).toEqual([]);
  const log = await server.deps.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject', '=', id)
    .execute();
  expect(log).toEqual([
    { action: 'review.remove', details: { rule: 'confidential', source: 'moderator' } },
  ]);
});

test('of two moderators with the same list of reports, one decides, even if one acts later', async () => {
  const other = await signedInAdmin(server);
  const listed = async (id: string, by: TestAccount) => {
    const url = '/api/admin/reports/?page_size=100';
    const { results } = (await server.app.inject({ url, headers: by.headers })).json<{
      results: ListedReview[];
    }>();
    return results.find(({ review }) => review.id === id)?.case_id ?? undefined;
  };
  const id = await newReview();
  await report(id);
  const seen = [await listed(id, admin), await listed(id, other)];
  expect(seen).toEqual([(await caseOf(id)).id, (await caseOf(id)).id]);
  expect((await decide(id, 'keep', { case_id: seen[0] })).statusCode).toBe(200);
  const late = await decide(id, 'remove', { reason: 'x', case_id: seen[1] }, other);
  expect([late.statusCode, late.json().code]).toEqual([409, 'case_closed']);
  expect(await isPublic(id)).toBe(true);
  // A review without an open case can still be decided.
  expect((await decide(id, 'remove', { reason: 'x' }, other)).statusCode).toBe(200);

  // A hidden review has no case. It is published once.
  const answers = [await decide(id, 'restore'), await decide(id, 'restore', undefined, other)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 409]);
  expect(answers[1]?.json().code).toBe('case_closed');
});
