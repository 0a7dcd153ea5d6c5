import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseFile } from '#contract/case-queue.ts';
import type { Review } from '#contract/reviews.ts';
import { openCase } from '#server/cases/cases.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { drawSecondLook } from './second-look.ts';

/** The probability of no hit is one in a billion. */
const MANY = 400;
/** In one of 160,000 runs, this many are drawn in a row. */
const DRAWN = 4;

let server: TestApp;
let admin: TestAccount;
let other: TestAccount;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  admin = await signedInAdmin(server);
  author = await signedInDoctor(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);
async function newReview(): Promise<{ id: string; employer: number }> {
  const employer = await newEmployer(server);
  return { id: (await call('POST', '/reviews/', author, reviewOf(employer))).json().id, employer };
}
const decide = (id: string, act: string, by = admin) =>
  call('POST', `/admin/reviews/${id}/${act}/`, by, act === 'keep' ? undefined : { reason: 'x' });
const look = (id: string, verdict: string, case_id: string | undefined, by = other) =>
  call('POST', `/admin/reviews/${id}/second-look/`, by, { verdict, case_id });
const caseOf = async (id: string) =>
  (
    await server.deps.db
      .selectFrom('cases')
      .select('id')
      .where('review_id', '=', id)
      .where('kind', '=', 'second_look')
      .executeTakeFirst()
  )?.id;
const acts = async (id: string) =>
  (
    await server.deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', id)
      .execute()
  ).map(({ action }) => action);

async function drawn(act: string) {
  const { db, clock } = server.deps;
  const review = await newReview();
  await decide(review.id, act);
  const subject = { review_id: review.id };
  await openCase(db, clock, { kind: 'second_look', subject, priority: 3 });
  return { ...review, caseId: await caseOf(review.id) };
}

test('with a single moderator, nobody else could look, so none is drawn', async () => {
  const { id } = await newReview();
  const { db, clock } = server.deps;
  await drawSecondLook(db, clock, id, { decidedBy: admin.userId, isCertain: true });
  expect(await caseOf(id)).toBeUndefined();
  other = await signedInAdmin(server);
});

test('some decisions are drawn for another moderator, and most are not', async () => {
  let draws = 0;
  for (let drawn = 0; drawn < DRAWN; drawn += 1) {
    const { id } = await newReview();
    const last = draws + MANY;
    do {
      await decide(id, 'keep');
      draws += 1;
    } while ((await caseOf(id)) === undefined && draws < last);
    expect(await caseOf(id)).toBeDefined();
  }
  expect(draws).toBeGreaterThan(DRAWN);
});

test('the case shows the review and its reports, but not the decision', async () => {
  const reported = await newReview();
  const report = { reason: 'abusive', note: 'Second paragraph.' };
  await call('POST', `/reviews/${reported.id}/report/`, await signedInDoctor(server, {}), report);
  await decide(reported.id, 'remove');
  const { db, clock } = server.deps;
  const subject = { review_id: reported.id };
  await openCase(db, clock, { kind: 'second_look', subject, priority: 3 });
  const found = await call('GET', `/admin/cases/${await caseOf(reported.id)}/`, other);
  const { file } = found.json<CaseFile & { file: { type: 'review'; review: Review } }>();
  expect(file).toMatchObject({
    type: 'review',
    review: { id: reported.id, removed_reason: null },
    reports: [{ reason: 'abusive', note: 'Second paragraph.' }],
  });
  expect(file).not.toHaveProperty('appeal');
});

test('deciding again does not remove the reports from the case', async () => {
  const reported = await newReview();
  const report = { reason: 'abusive', note: 'Second paragraph.' };
  await call('POST', `/reviews/${reported.id}/report/`, await signedInDoctor(server, {}), report);
  await decide(reported.id, 'keep');
  await decide(reported.id, 'keep');
  const { db, clock } = server.deps;
  const subject = { review_id: reported.id };
  await openCase(db, clock, { kind: 'second_look', subject, priority: 3 });
  const found = await call('GET', `/admin/cases/${await caseOf(reported.id)}/`, other);
  expect(found.json<CaseFile>().file).toMatchObject({ reports: [report] });
});

test.each([
  ['remove', 'hide', true],
  ['remove', 'show', false],
  ['hold', 'hide', true],
  ['keep', 'show', true],
  ['keep', 'hide', false],
])(
  'after %s, "%s" agrees: %s; the log says so, and nothing else changes',
  async (act, verdict, agrees) => {
    const { id, caseId } = await drawn(act);
    const answer = await look(id, verdict, caseId);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { agrees, outcome: act, rule: 'general', note: act === 'keep' ? '' : 'x' },
    ]);
    expect(await acts(id)).toContain(`second-look.${agrees ? 'agree' : 'differ'}`);
    expect((await server.app.inject(`/api/reviews/${id}/`)).statusCode).toBe(
      act === 'keep' ? 200 : 404,
    );
    expect((await look(id, verdict, caseId)).json().code).toBe('case_closed');
  },
);

test('not by the deciding moderator, not for another case, and only once if two look at the same time', async () => {
  const { id, caseId } = await drawn('remove');
  expect((await look(id, 'hide', caseId, admin)).json().code).toBe('own_decision');
  expect((await look(id, 'hide', crypto.randomUUID())).json().code).toBe('case_closed');
  expect((await look(id, 'hide', undefined)).statusCode).toBe(400);
  expect((await look(crypto.randomUUID(), 'hide', caseId)).statusCode).toBe(404);
  const third = await signedInAdmin(server);
  const answers = await Promise.all([look(id, 'hide', caseId), look(id, 'show', caseId, third)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect((await acts(id)).filter((action) => action.startsWith('second-look'))).toHaveLength(1);
});

test('an edit of the review closes the case', async () => {
  const { id, employer, caseId } = await drawn('keep');
  const edited = await call('PATCH', `/reviews/${id}/`, author, reviewOf(employer));
  expect(edited.statusCode).toBe(200);
  expect(caseId).toBeDefined();
  expect(await caseOf(id)).toBeUndefined();
});
