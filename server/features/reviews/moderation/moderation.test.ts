import { randomUUID } from 'node:crypto';
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
let employer: number;
let review: Review;

beforeAll(async () => {
  server = await buildTestApp();
  admin = await signedInAdmin(server);
  author = await signedInDoctor(server);
  employer = await newEmployer(server);
  review = (await call('POST', '/reviews/', author, reviewOf(employer))).json();
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);
const report = async (id: string, reason: string) =>
  call('POST', `/reviews/${id}/report/`, await signedInDoctor(server, {}), { reason });
const listed = async (show: string) =>
  (await call('GET', `/admin/reports/?show=${show}`, admin)).json<{
    count: number;
    results: ModeratedReview[];
  }>();

test('only administrators can moderate', async () => {
  const paths = ['remove', 'hold', 'restore', 'keep'].map(
    (act) => `/admin/reviews/${review.id}/${act}/`,
  );
  for (const [account, status] of [
    [undefined, 401],
    [author, 403],
  ] as const) {
    expect((await call('GET', '/admin/reports/', account)).statusCode).toBe(status);
    for (const path of paths) {
      expect((await call('POST', path, account, { reason: 'x' })).statusCode).toBe(status);
    }
  }
});

test('lists the most reported first, without authors or reporters', async () => {
  const other = await newEmployer(server);
  const second = (await call('POST', '/reviews/', author, reviewOf(other))).json<Review>();
  await report(second.id, 'off_topic');
  await report(review.id, 'abusive');
  await report(review.id, 'other');
  const response = await call('GET', '/admin/reports/', admin);
  expect(response.headers['cache-control']).toBe('no-store');
  const { count, results } = response.json<Awaited<ReturnType<typeof listed>>>();
  expect(count).toBe(2);
  expect(results.map((one) => [one.review.id, one.reports.length])).toEqual([
    [review.id, 2],
    [second.id, 1],
  ]);
  const today = server.time.now.toISOString().slice(0, 10);
  expect(results[1]?.reports).toEqual([{ reason: 'off_topic', note: '', reported_on: today }]);
  expect(response.body).not.toMatch(/_key|author|reporter/);
  const kept = await call('POST', `/admin/reviews/${second.id}/keep/`, admin);
  expect(kept.json()).toMatchObject({ review: { removed_reason: null }, reports: [] });
  expect((await listed('open')).count).toBe(1);
});

test('only its author sees a removed review, and it can be restored', async () => {
  const public_ = `/reviews/${review.id}/`;
  const own = async () =>
    (await call('GET', '/reviews/my_reviews/', author))
      .json<OwnReview[]>()
      .find(({ id }) => id === review.id);
  const counts = async () => [
    (await call('GET', '/reviews/')).json().count,
    (await call('GET', '/reviews/filter_options/')).json().total_reviews,
    (await call('GET', `/employers/${employer}/`)).json().total_reviews,
    (await call('GET', `/employers/${employer}/reviews/`)).json().results.length,
  ];
  expect(await counts()).toEqual([2, 2, 1, 1]);
  const remove = `/admin/reviews/${review.id}/remove/`;
  expect((await call('POST', remove, admin, { reason: ' ' })).statusCode).toBe(400);
  const removed = await call('POST', remove, admin, { reason: 'It names a colleague.' });
  expect(removed.json()).toMatchObject({
    review: { id: review.id, removed_reason: 'It names a colleague.' },
    reports: [],
  });
  expect(await counts()).toEqual([1, 1, 0, 0]);
  expect((await call('GET', public_)).statusCode).toBe(404);
  expect(await own()).toMatchObject({ removed_reason: 'It names a colleague.' });
  const edit = await call('PATCH', public_, author, reviewOf(employer));
  expect([edit.statusCode, edit.json().code]).toEqual([409, 'review_removed']);
  expect((await call('POST', '/reviews/', author, reviewOf(employer))).json().code).toBe(
    'duplicate_review',
  );
  expect((await listed('removed')).results.map((one) => one.review.id)).toEqual([review.id]);
  expect((await listed('open')).count).toBe(0);

  const restored = await call('POST', `/admin/reviews/${review.id}/restore/`, admin);
  expect(restored.json().review.removed_reason).toBeNull();
  expect(await counts()).toEqual([2, 2, 1, 1]);
  expect((await call('GET', public_)).statusCode).toBe(200);
});

test('records decisions by day, and only for existing reviews', async () => {
  for (const act of ['remove', 'hold', 'restore', 'keep']) {
    const url = `/admin/reviews/${randomUUID()}/${act}/`;
    const body = act === 'remove' || act === 'hold' ? { reason: 'x' } : undefined;
    expect((await call('POST', url, admin, body)).statusCode).toBe(404);
  }
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'happened_on', 'details'])
    .where('subject', '=', review.id)
    .where('actor', '<>', 'reader')
    .execute();
  expect(acts.map(({ action }) => action).sort()).toEqual(['review.remove', 'review.restore']);
  expect(acts.every(({ actor }) => actor === admin.userId)).toBe(true);
  // The text for the author is not in the log: it is deleted with the review.
  expect(acts.map(({ details }) => details)).toContainEqual({
    rule: 'general',
    source: 'report',
    days: 0,
  });
  const all = await server.deps.db.selectFrom('audit_log').select(['actor', 'action']).execute();
  const decisions = all.filter(({ action }) => action.startsWith('review.'));
  expect([decisions.length, all.length]).toEqual([3, 6]);
  const receipts = all.filter(({ action }) => action === 'report.receive');
  expect(receipts.map(({ actor }) => actor)).toEqual(['reader', 'reader', 'reader']);
});
