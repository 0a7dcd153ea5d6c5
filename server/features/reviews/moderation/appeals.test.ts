import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import type { OwnReview, Review } from '#contract/reviews.ts';
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
let admin: TestAccount;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  admin = await signedInAdmin(server);
  author = await signedInDoctor(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const DAY_MS = 24 * 3_600_000;
const call = (...request: ApiCall) => callApi(server, ...request);
const today = () => server.time.now.toISOString().slice(0, 10);
const firstOfMonth = () => `${today().slice(0, 7)}-01`;

async function newReview(): Promise<{ id: string; employer: number }> {
  const employer = await newEmployer(server);
  const posted = await call('POST', '/reviews/', author, reviewOf(employer));
  return { id: posted.json<Review>().id, employer };
}
async function hidden(act: 'remove' | 'hold') {
  const review = await newReview();
  const body = { reason: 'It names a colleague.', rule: 'private_persons' };
  const decided = await call('POST', `/admin/reviews/${review.id}/${act}/`, admin, body);
  expect(decided.statusCode).toBe(200);
  return review;
}
const appealOf = (id: string, text = 'I named nobody.', by = author) =>
  call('POST', `/reviews/${id}/appeal/`, by, { text });
const answer = (id: string, outcome: string, by: TestAccount, more = {}) =>
  call('POST', `/admin/reviews/${id}/appeal/`, by, { outcome, answer: 'You are right.', ...more });
const own = async (id: string) =>
  (await call('GET', '/reviews/my_reviews/', author))
    .json<OwnReview[]>()
    .find((review) => review.id === id);
/** What moderators see of the review. */
const fileOf = async (id: string) =>
  (await call('GET', '/admin/reports/?page_size=100', admin))
    .json<{ results: ModeratedReview[] }>()
    .results.find(({ review }) => review.id === id);
const code = (response: { statusCode: number; json: () => { code: string } }) => [
  response.statusCode,
  response.json().code,
];
const isPublic = async (id: string) =>
  (await server.app.inject(`/api/reviews/${id}/`)).statusCode === 200;

test('the author sees the decision at the review, but not that a review was kept', async () => {
  const { id } = await hidden('remove');
  const appeal_until = new Date(server.time.now.getTime() + 20 * DAY_MS).toISOString().slice(0, 10);
  expect((await own(id))?.decision).toEqual({
    outcome: 'remove',
    rule: 'private_persons',
    note: 'It names a colleague.',
    source: 'moderator',
    decided_on: today(),
    may_edit: false,
    awaits_moderator: false,
    appeal_until,
    appeal: null,
  });
  const { id: kept } = await newReview();
  await call('POST', `/admin/reviews/${kept}/keep/`, admin);
  expect(await own(kept)).not.toHaveProperty('decision');
});

test('a held review can be edited; it stays hidden, and goes back to the moderators', async () => {
  const { id, employer } = await hidden('hold');
  expect((await own(id))?.decision).toMatchObject({ outcome: 'hold', may_edit: true });
  const changed = reviewOf(employer, { review_text: 'Without the name.' });
  const edited = await call('PATCH', `/reviews/${id}/`, author, changed);
  expect(edited.json()).toMatchObject({
    review_text: 'Without the name.',
    removed_reason: 'A moderator is going to look at this review.',
    decision: { may_edit: false, appeal_until: null, awaits_moderator: true },
  });
  expect(await isPublic(id)).toBe(false);
  expect(code(await call('PATCH', `/reviews/${id}/`, author, changed))).toEqual([
    409,
    'review_removed',
  ]);
  expect(code(await appealOf(id))).toEqual([409, 'not_appealable']);

  const open = await server.deps.db
    .selectFrom('cases')
    .innerJoin('review_reports', 'review_reports.review_id', 'cases.review_id')
    .select(['kind', 'opened_on', 'reason', 'note', 'reported_on'])
    .where('cases.review_id', '=', id)
    .where('kind', '=', 'report')
    .execute();
  expect(open).toMatchObject([{ kind: 'report', reason: 'resubmitted', note: '' }]);
  for (const { opened_on, reported_on } of open) {
    expect([opened_on, reported_on]).toEqual([firstOfMonth(), firstOfMonth()]);
  }
  expect(await fileOf(id)).toMatchObject({ reports: [], is_resubmitted: true });
  await call('POST', `/admin/reviews/${id}/restore/`, admin, { note: 'Thank you.' });
  expect(await isPublic(id)).toBe(true);
  expect((await own(id))?.decision).toMatchObject({
    outcome: 'restore',
    note: 'Thank you.',
    source: 'moderator',
  });
});

test('no report can pose as a resubmission', async () => {
  const reader = await signedInDoctor(server, {});
  const { id } = await newReview();
  const url = `/reviews/${id}/report/`;
  const posing = await call('POST', url, reader, { reason: 'resubmitted' });
  expect(posing.statusCode).toBe(400);
  const note = 'Resubmitted: its author has edited it.';
  await call('POST', url, reader, { reason: 'other', note });
  const reports = [{ reason: 'other', note, reported_on: today() }];
  expect(await fileOf(id)).toMatchObject({ reports, is_resubmitted: false });
  await call('POST', `/admin/reviews/${id}/keep/`, admin);
  const [decided] = await server.deps.db
    .selectFrom('audit_log')
    .select('details')
    .where('subject', '=', id)
    .where('action', '=', 'review.keep')
    .execute();
  expect(decided?.details).toMatchObject({ days: 0, source: 'report' });
});

test('the author sees the last decision that changed whether the review is public', async () => {
  const { id } = await hidden('remove');
  await call('POST', `/admin/reviews/${id}/restore/`, admin, { note: 'Our mistake.' });
  const restored = (await own(id))?.decision;
  expect(restored).toMatchObject({ outcome: 'restore', note: 'Our mistake.' });
  // The author does not learn that somebody has reported it since.
  await call('POST', `/reviews/${id}/report/`, await signedInDoctor(server, {}), {
    reason: 'abusive',
  });
  await call('POST', `/admin/reviews/${id}/keep/`, admin);
  expect((await own(id))?.decision).toEqual(restored);
});

test('restoring a reported review that is public keeps it, and its author is not notified', async () => {
  const { id } = await newReview();
  const reader = await signedInDoctor(server, {});
  await call('POST', `/reviews/${id}/report/`, reader, { reason: 'abusive' });
  const restored = await call('POST', `/admin/reviews/${id}/restore/`, admin);
  expect(restored.statusCode).toBe(200);
  expect(await own(id)).not.toHaveProperty('decision');
});

test('a review that a moderator held can be edited after a merge of its employer', async () => {
  const { id, employer } = await hidden('hold');
  const curator = await signedInAdmin(server, ['curator']);
  const target = await newEmployer(server, { name: 'Merged Hospital' });
  const merged = await call('POST', `/admin/employers/${employer}/merge/`, curator, {
    into: target,
  });
  expect(merged.statusCode).toBe(200);
  expect(await own(id)).toMatchObject({ employer: { id: target }, decision: { may_edit: true } });
  const edited = await call('PATCH', `/reviews/${id}/`, author, reviewOf(target));
  expect(edited.json()).toMatchObject({ decision: { awaits_moderator: true } });
});

test('a removed review cannot be edited', async () => {
  const { id, employer } = await hidden('remove');
  const edit = await call('PATCH', `/reviews/${id}/`, author, reviewOf(employer));
  expect(code(edit)).toEqual([409, 'review_removed']);
});

test('an author appeals once, another administrator answers, and the review returns', async () => {
  const other = await signedInAdmin(server);
  const { id } = await hidden('remove');
  const appealed = await appealOf(id);
  expect(appealed.json()).toMatchObject({
    decision: {
      appeal_until: null,
      appeal: { text: 'I named nobody.', outcome: null, answer: '', answered_on: null },
    },
  });
  expect(code(await appealOf(id, 'Again.'))).toEqual([409, 'appeal_exists']);
  expect(code(await answer(id, 'overturn', admin))).toEqual([409, 'own_decision']);
  expect(code(await call('POST', `/admin/reviews/${id}/restore/`, admin))).toEqual([
    409,
    'appeal_open',
  ]);
  const decided = await answer(id, 'overturn', other);
  expect(decided.json()).toMatchObject({ review: { removed_reason: null } });
  expect(await isPublic(id)).toBe(true);
  expect((await own(id))?.decision?.appeal).toEqual({
    text: 'I named nobody.',
    outcome: 'overturn',
    answer: 'You are right.',
    answered_on: today(),
  });
  expect(code(await answer(id, 'uphold', other))).toEqual([409, 'case_closed']);
  expect(code(await appealOf(id))).toEqual([409, 'not_appealable']);
});

test('a rejected appeal leaves the review hidden, and a held one can still be edited', async () => {
  const other = await signedInAdmin(server);
  const { id, employer } = await hidden('hold');
  await appealOf(id);
  const edit = () => call('PATCH', `/reviews/${id}/`, author, reviewOf(employer));
  expect(code(await edit())).toEqual([409, 'appeal_open']);
  expect((await answer(id, 'uphold', other)).statusCode).toBe(200);
  expect(await isPublic(id)).toBe(false);
  expect((await own(id))?.decision).toMatchObject({
    may_edit: true,
    appeal_until: null,
    appeal: { outcome: 'uphold' },
  });
  expect((await edit()).statusCode).toBe(200);
});

test('only its author can appeal, within 20 days, with at most 2,000 characters', async () => {
  const { id } = await hidden('remove');
  const stranger = await signedInDoctor(server);
  expect((await appealOf(id, 'x', stranger)).statusCode).toBe(404);
  expect((await appealOf(id, ' ')).statusCode).toBe(400);
  expect((await appealOf(id, 'x'.repeat(2001))).statusCode).toBe(400);
  const { id: untouched } = await newReview();
  expect(code(await appealOf(untouched))).toEqual([409, 'not_appealable']);

  const setDay = (days: number) =>
    server.deps.db
      .updateTable('review_decisions')
      .set({ decided_on: new Date(server.time.now.getTime() - days * DAY_MS).toISOString() })
      .where('review_id', '=', id)
      .execute();
  await setDay(21);
  expect(code(await appealOf(id))).toEqual([409, 'appeal_too_late']);
  await setDay(20);
  expect((await appealOf(id, 'x'.repeat(2000))).statusCode).toBe(200);
});

test('two simultaneous administrators never answer an appeal twice', async () => {
  const [one, other] = [await signedInAdmin(server), await signedInAdmin(server)];
  const { id } = await hidden('remove');
  await appealOf(id);
  const { id: case_id } = await server.deps.db
    .selectFrom('cases')
    .select('id')
    .where('review_id', '=', id)
    .where('kind', '=', 'appeal')
    .executeTakeFirstOrThrow();
  const answers = await Promise.all([
    answer(id, 'uphold', one, { case_id }),
    answer(id, 'overturn', other, { case_id }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
});

test('in an office of one, the same person decides the appeal', async () => {
  await using alone = await buildTestApp();
  const [only, writer] = [await signedInAdmin(alone), await signedInDoctor(alone)];
  const send = (url: string, { headers }: TestAccount, payload: object) =>
    alone.app.inject({ method: 'POST', url: `/api${url}`, headers, payload });
  const posted = await send('/reviews/', writer, reviewOf(await newEmployer(alone)));
  const { id } = posted.json<Review>();
  await send(`/admin/reviews/${id}/remove/`, only, { reason: 'x' });
  await send(`/reviews/${id}/appeal/`, writer, { text: 'Why?' });
  const answered = await send(`/admin/reviews/${id}/appeal/`, only, {
    outcome: 'overturn',
    answer: 'Indeed.',
  });
  expect(answered.json()).toMatchObject({ review: { removed_reason: null } });
});

test('an appeal is deleted with its review, and neither its case nor the log shows its day', async () => {
  const { id } = await hidden('remove');
  await appealOf(id, 'A secret of the author.');
  const { opened_on } = await server.deps.db
    .selectFrom('cases')
    .select('opened_on')
    .where('review_id', '=', id)
    .where('kind', '=', 'appeal')
    .executeTakeFirstOrThrow();
  expect(opened_on).toBe(firstOfMonth());
  await call('DELETE', `/reviews/${id}/`, author);
  const texts = await server.deps.db.selectFrom('review_appeals').select('text').execute();
  expect(texts.map(({ text }) => text)).not.toContain('A secret of the author.');
  const log = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details', 'happened_on'])
    .where('subject', '=', id)
    .where('action', 'like', 'appeal.%')
    .execute();
  expect(log).toEqual([
    {
      actor: 'author',
      action: 'appeal.receive',
      details: { rule: 'private_persons' },
      happened_on: `${today().slice(0, 7)}-01`,
    },
  ]);
});
