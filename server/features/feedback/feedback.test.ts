import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEEDBACK_MESSAGES } from '#contract/feedback.ts';
import type { Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let author: TestAccount;
let readers: TestAccount[];
let review: Review;

beforeAll(async () => {
  server = await buildTestApp();
  author = await signedInDoctor(server);
  readers = await Promise.all([1, 2, 3].map(() => signedInDoctor(server, { verified: true })));
  const employer = await newEmployer(server);
  const response = await call('POST', '/reviews/', author, reviewOf(employer));
  review = response.json();
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (
  method: 'POST' | 'DELETE' | 'GET',
  url: string,
  account: TestAccount | undefined,
  payload?: object,
) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    ...(account && { headers: account.headers }),
    ...(payload && { payload }),
  });
const helpful = () => `/reviews/${review.id}/helpful/`;
const shown = async () =>
  (await call('GET', '/reviews/?ordering=-helpful', undefined)).json().results[0].helpful_count;

test('each reader counts once, at once and in the next answer', async () => {
  const [first, second] = readers;
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => call('POST', helpful(), first)),
    call('POST', helpful(), second),
  ]);
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(await shown()).toBe(2);
  const again = await call('POST', helpful(), second);
  expect(again.json()).toEqual({ helpful: true, helpful_count: 2 });
  for (const _ of [1, 2]) {
    const taken = await call('DELETE', helpful(), second);
    expect(taken.json()).toEqual({ helpful: false, helpful_count: 1 });
  }
  expect(await shown()).toBe(1);
});

test('one’s own review is not to be voted for or reported', async () => {
  const report = `/reviews/${review.id}/report/`;
  for (const refused of [
    await call('POST', helpful(), author),
    await call('DELETE', helpful(), author),
    await call('POST', report, author, { reason: 'other' }),
  ]) {
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'own_review']);
  }
});

test('votes are for verified doctors, and for reviews that are there', async () => {
  const unverified = await signedInDoctor(server, {});
  expect((await call('POST', helpful(), undefined)).statusCode).toBe(401);
  expect((await call('POST', helpful(), unverified)).statusCode).toBe(403);
  const nowhere = `/reviews/${randomUUID()}/helpful/`;
  expect((await call('POST', nowhere, readers[0])).statusCode).toBe(404);
  expect((await call('POST', '/reviews/7/helpful/', readers[0])).statusCode).toBe(400);
});

test('a report is taken once from each account, with a reason of the list', async () => {
  const url = `/reviews/${review.id}/report/`;
  const unverified = await signedInDoctor(server, {});
  expect((await call('POST', url, undefined, { reason: 'other' })).statusCode).toBe(401);
  expect((await call('POST', url, readers[0], { reason: 'dislike' })).statusCode).toBe(400);
  const long = { reason: 'other', note: 'x'.repeat(501) };
  expect((await call('POST', url, readers[0], long)).statusCode).toBe(400);
  const answers = await Promise.all(
    [1, 2].map(() => call('POST', url, unverified, { reason: 'abusive', note: ' Rude. ' })),
  );
  for (const answer of answers)
    expect(answer.json()).toEqual({ message: FEEDBACK_MESSAGES.reported });
  const reports = await server.deps.db.selectFrom('review_reports').selectAll().execute();
  expect(reports).toMatchObject([{ reason: 'abusive', note: 'Rude.', closed: false }]);
});

test('the caller alone learns what they have to do with reviews', async () => {
  const [first, , third] = readers;
  const url = `/reviews/votes/?ids=${review.id},${randomUUID()}`;
  expect((await call('GET', url, undefined)).statusCode).toBe(401);
  expect((await call('GET', '/reviews/votes/?ids=1', first)).statusCode).toBe(400);
  await call('POST', `/reviews/${review.id}/report/`, first, { reason: 'other' });
  const mine = await call('GET', url, first);
  expect(mine.headers['cache-control']).toBe('no-store');
  expect(mine.json()).toEqual({ own: [], helpful: [review.id], reported: [review.id] });
  expect((await call('GET', url, third)).json()).toEqual({ own: [], helpful: [], reported: [] });
  expect((await call('GET', url, author)).json()).toMatchObject({ own: [review.id] });
});

test('keys of votes and reports join neither to each other nor across reviews', async () => {
  const [reader] = readers;
  const employer = await newEmployer(server);
  const other = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
  await call('POST', `/reviews/${other.id}/helpful/`, reader);
  const { db } = server.deps;
  const votes = await db.selectFrom('review_votes').select('voter_key as key').execute();
  const reports = await db.selectFrom('review_reports').select('reporter_key as key').execute();
  const authors = await db.selectFrom('reviews').select('author_key as key').distinct().execute();
  const keys = [...votes, ...reports, ...authors].map(({ key }) => key.toString('hex'));
  expect(new Set(keys).size).toBe(keys.length);
});
