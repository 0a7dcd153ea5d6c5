import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case, CaseFile } from '#contract/case-queue.ts';
import { CASE_CLAIM_MINUTES, type CaseKind } from '#contract/cases.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import type { Review } from '#contract/reviews.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let owner: TestAccount;
let other: TestAccount;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  owner = await signedInAdmin(server);
  other = await signedInAdmin(server, ['moderator']);
  author = await signedInDoctor(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);
const appoint = async (roles: string[]) =>
  expect((await call('PATCH', `/admin/staff/${other.userId}/`, owner, { roles })).statusCode).toBe(
    200,
  );

async function decided(act = 'remove', by = owner): Promise<string> {
  const posted = await call('POST', '/reviews/', author, reviewOf(await newEmployer(server)));
  const { id } = posted.json<Review>();
  await call('POST', `/admin/reviews/${id}/${act}/`, by, { reason: 'x' });
  return id;
}
async function appealed(): Promise<string> {
  const id = await decided();
  await call('POST', `/reviews/${id}/appeal/`, author, { text: 'Why?' });
  return id;
}
/** Decides until a decision is drawn for a second look. */
async function drawn(): Promise<string> {
  const id = await decided();
  while (!(await caseOf(id, 'second_look'))) {
    await call('POST', `/admin/reviews/${id}/hold/`, owner, { reason: 'x' });
  }
  return id;
}
const caseOf = async (id: string, kind: CaseKind) =>
  (
    await server.deps.db
      .selectFrom('cases')
      .select('id')
      .where('review_id', '=', id)
      .where('kind', '=', kind)
      .executeTakeFirst()
  )?.id;
const claim = (id: string | undefined, by: TestAccount) =>
  call('POST', `/admin/cases/${id}/claim/`, by);
const release = (id: string | undefined, by: TestAccount) =>
  call('POST', `/admin/cases/${id}/release/`, by);
const codeOf = async (answer: ReturnType<typeof call>) => (await answer).json().code;
const queue = async (by: TestAccount, kind: CaseKind) => {
  const answer = await call('GET', `/admin/cases/?kind=${kind}`, by);
  const { count, results } = answer.json<{ count: number; results: Case[] }>();
  return { count, ids: results.map(({ id }) => id) };
};

test('a claim expires, whatever its holder does', async () => {
  const id = await caseOf(await appealed(), 'appeal');
  const { now } = server.time;
  const until = new Date(now.getTime() + CASE_CLAIM_MINUTES * MINUTE_MS).toISOString();
  const end = async (by = other) => (await claim(id, by)).json<Case>().claim?.until;
  expect(await end()).toBe(until);
  server.time.now = new Date(now.getTime() + 10 * MINUTE_MS);
  expect(await end()).toBe(until);
  await release(id, other);
  expect(await end()).toBe(until);
  server.time.now = new Date(now.getTime() + CASE_CLAIM_MINUTES * MINUTE_MS);
  const again = new Date(now.getTime() + 2 * CASE_CLAIM_MINUTES * MINUTE_MS).toISOString();
  // From then on, anyone could have claimed it.
  const { access } = await beginSession(server.deps, server.deps.db, other.userId);
  expect(await end({ ...other, headers: { authorization: `Bearer ${access}` } })).toBe(again);
  server.time.now = now;
});

test('nobody can claim an appeal against their own decision', async () => {
  const id = await caseOf(await appealed(), 'appeal');
  expect(await codeOf(claim(id, owner))).toBe('own_decision');
  expect((await queue(owner, 'appeal')).ids).toContain(id);
  const { next_id } = (await call('GET', `/admin/cases/${id}/`, owner)).json<CaseFile>();
  expect(next_id).not.toBe(id);
  expect((await claim(id, other)).statusCode).toBe(200);
});

test("the next case is never about the moderator's own decision", async () => {
  const [first, second] = [await appealed(), await appealed()];
  const from = await caseOf(first, 'appeal');
  const next = async (by: TestAccount) =>
    (await call('GET', `/admin/cases/${from}/?kind=appeal`, by)).json<CaseFile>().next_id;
  expect(await caseOf(second, 'appeal')).toBeDefined();
  expect(await next(other)).not.toBeNull();
  expect(await next(owner)).toBeNull();
});

test('the moderator who decided cannot see that a second look was drawn', async () => {
  const before = await queue(owner, 'second_look');
  const id = await caseOf(await drawn(), 'second_look');
  expect(await queue(owner, 'second_look')).toEqual(before);
  expect((await call('GET', `/admin/cases/${id}/`, owner)).statusCode).toBe(404);
  for (const act of [claim, release]) expect(await codeOf(act(id, owner))).toBe('case_closed');
  expect((await queue(other, 'second_look')).ids).toContain(id);
  expect((await claim(id, other)).statusCode).toBe(200);
});

test('deciding again does not remove a second look', async () => {
  const review = await drawn();
  const first = await caseOf(review, 'second_look');
  for (const by of [owner, other]) {
    await call('POST', `/admin/reviews/${review}/remove/`, by, { reason: 'y' });
    const id = await caseOf(review, 'second_look');
    expect(id).not.toBe(first);
    expect((await queue(by, 'second_look')).ids).not.toContain(id);
    expect((await queue(by === owner ? other : owner, 'second_look')).ids).toContain(id);
  }
});

test('with one moderator left, appeals can be claimed, and second looks stay hidden', async () => {
  const appeal = await caseOf(await appealed(), 'appeal');
  const look = await caseOf(await drawn(), 'second_look');
  const byOther = await decided('keep', other);
  while (!(await caseOf(byOther, 'second_look'))) {
    await call('POST', `/admin/reviews/${byOther}/keep/`, other);
  }
  await appoint(['curator']);
  expect((await claim(appeal, owner)).statusCode).toBe(200);
  const left = await queue(owner, 'second_look');
  expect(left.ids).not.toContain(look);
  // Somebody else's decision can still be reviewed.
  const case_id = await caseOf(byOther, 'second_look');
  expect(left.ids).toContain(case_id);
  const path = `/admin/reviews/${byOther}/second-look/`;
  expect((await call('POST', path, owner, { verdict: 'show', case_id })).statusCode).toBe(200);
  await appoint(['moderator']);
  expect((await queue(other, 'second_look')).ids).toContain(look);
});
