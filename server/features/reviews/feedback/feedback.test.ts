import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEEDBACK_MESSAGES, ReviewVotes, VoteResponse } from '#contract/review-feedback.ts';
import type { Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { castVote } from './queries.ts';

let server: TestApp;
let author: TestAccount;
let readers: TestAccount[];
let review: Review;

beforeAll(async () => {
  server = await buildTestApp();
  author = await signedInDoctor(server);
  readers = await Promise.all([1, 2, 3].map(() => signedInDoctor(server, { verified: true })));
  review = await newReview();
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);
const newReview = async () =>
  (await call('POST', '/reviews/', author, reviewOf(await newEmployer(server)))).json<Review>();
const helpful = ({ id }: Pick<Review, 'id'> = review) => `/reviews/${id}/helpful/`;
const notHelpful = ({ id }: Pick<Review, 'id'> = review) => `/reviews/${id}/not-helpful/`;
const shown = async () =>
  (await call('GET', '/reviews/?ordering=-helpful', undefined)).json().results[0].helpful_count;
/** The counts in the database, which are not public. */
const countsOf = ({ id }: Review) =>
  server.deps.db
    .selectFrom('reviews')
    .select(['helpful_count', 'not_helpful_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const votesFor = ({ id }: Review) =>
  server.deps.db.selectFrom('review_votes').select('helpful').where('review_id', '=', id).execute();

test('each reader counts once, even with simultaneous requests, and in the next response', async () => {
  const [first, second] = readers;
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => call('POST', helpful(), first)),
    call('POST', helpful(), second),
  ]);
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(await shown()).toBe(2);
  const again = await call('POST', helpful(), second);
  expect(VoteResponse.parse(again.json())).toEqual({ vote: 'helpful', helpful_count: 2 });
  for (const _ of [1, 2]) {
    const taken = await call('DELETE', helpful(), second);
    expect(taken.json()).toEqual({ vote: null, helpful_count: 1 });
  }
  expect(await shown()).toBe(1);
});

test('the opposite vote replaces the first one, and is withdrawn separately', async () => {
  const [reader, another] = readers;
  const turned = await newReview();
  await call('POST', notHelpful(turned), another);
  const steps = [
    ['POST', helpful, 'helpful', 1, 1],
    ['POST', notHelpful, 'not_helpful', 0, 2],
    ['POST', notHelpful, 'not_helpful', 0, 2],
    ['DELETE', helpful, 'not_helpful', 0, 2],
    ['POST', helpful, 'helpful', 1, 1],
    ['DELETE', notHelpful, 'helpful', 1, 1],
    ['DELETE', helpful, null, 0, 1],
    ['DELETE', helpful, null, 0, 1],
    ['POST', notHelpful, 'not_helpful', 0, 2],
    ['DELETE', notHelpful, null, 0, 1],
  ] as const;
  for (const [method, url, vote, helpful_count, not_helpful_count] of steps) {
    const answer = await call(method, url(turned), reader);
    expect(VoteResponse.parse(answer.json())).toEqual({ vote, helpful_count });
    expect(await countsOf(turned)).toEqual({ helpful_count, not_helpful_count });
  }
});

test('repeated simultaneous opposite votes leave one vote', async () => {
  const [reader, another] = readers;
  const torn = await newReview();
  await call('POST', helpful(torn), another);
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all([
      call('POST', helpful(torn), reader),
      call('POST', notHelpful(torn), reader),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const votes = await votesFor(torn);
    expect(votes).toHaveLength(2);
    const helpful_count = votes.filter((vote) => vote.helpful).length;
    expect(await countsOf(torn)).toEqual({ helpful_count, not_helpful_count: 2 - helpful_count });
  }
  await Promise.all(
    [helpful, notHelpful].flatMap((url) => [1, 2, 3].map(() => call('DELETE', url(torn), reader))),
  );
  expect(await countsOf(torn)).toEqual({ helpful_count: 1, not_helpful_count: 0 });
});

test('a constraint allows one vote per person, even without the lock', async () => {
  const once = await newReview();
  const voter = server.deps.keys.deedKeys('vote', randomUUID(), once.id);
  // Simultaneous, and without the lock that requests take.
  await Promise.all(
    [true, false, true, false].map((helpful) =>
      castVote(server.deps.db, { reviewId: once.id, voter, helpful }),
    ),
  );
  const votes = await votesFor(once);
  expect(votes).toHaveLength(1);
  const helpful_count = votes[0]?.helpful ? 1 : 0;
  expect(await countsOf(once)).toEqual({ helpful_count, not_helpful_count: 1 - helpful_count });
});

test('nobody can see how many readers found a review not helpful', async () => {
  const disliked = await newReview();
  const admin = await signedInAdmin(server);
  await call('POST', `/reviews/${disliked.id}/report/`, readers[0], { reason: 'other' });
  const seen = () =>
    Promise.all(
      [
        call('GET', `/reviews/${disliked.id}/`, undefined),
        call('GET', '/reviews/', undefined),
        call('GET', `/employers/${disliked.employer.id}/`, undefined),
        call('GET', `/employers/${disliked.employer.id}/reviews/`, undefined),
        call('GET', '/reviews/my_reviews/', author),
        call('GET', '/auth/export/', author),
        call('GET', '/admin/reports/', admin),
      ].map(async (answer) => {
        const { statusCode, body } = await answer;
        expect(statusCode, body).toBe(200);
        return body;
      }),
    );
  const before = await seen();
  for (const reader of readers) await call('POST', notHelpful(disliked), reader);
  expect(await countsOf(disliked)).toEqual({ helpful_count: 0, not_helpful_count: readers.length });
  expect(await seen()).toEqual(before);
});

test("rejects votes for and reports of the caller's own review", async () => {
  const report = `/reviews/${review.id}/report/`;
  for (const refused of [
    await call('POST', helpful(), author),
    await call('DELETE', helpful(), author),
    await call('POST', notHelpful(), author),
    await call('DELETE', notHelpful(), author),
    await call('POST', report, author, { reason: 'other' }),
  ]) {
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'own_review']);
  }
});

test('only verified doctors can vote, and only for existing reviews', async () => {
  const unverified = await signedInDoctor(server, {});
  const removed = await newReview();
  await server.deps.db
    .updateTable('reviews')
    .set({ removed_reason: 'Removed.' })
    .where('id', '=', removed.id)
    .execute();
  for (const url of [helpful, notHelpful]) {
    for (const method of ['POST', 'DELETE'] as const) {
      const status = async (of: Pick<Review, 'id'>, by: TestAccount | undefined) =>
        (await call(method, url(of), by)).statusCode;
      expect(await status(review, undefined)).toBe(401);
      expect(await status(review, unverified)).toBe(403);
      expect(await status({ id: randomUUID() }, readers[0])).toBe(404);
      expect(await status(removed, readers[0])).toBe(404);
      expect(await status({ id: '7' }, readers[0])).toBe(400);
    }
  }
});

test('accepts one report per account, with a reason from the list', async () => {
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
  expect(reports.filter(({ review_id }) => review_id === review.id)).toMatchObject([
    { reason: 'abusive', note: 'Rude.', closed: false },
  ]);
});

test('only the caller can see their own votes and reports', async () => {
  const [first, , third] = readers;
  const other = await newReview();
  const url = `/reviews/votes/?ids=${review.id},${other.id},${randomUUID()}`;
  expect((await call('GET', url, undefined)).statusCode).toBe(401);
  expect((await call('GET', '/reviews/votes/?ids=1', first)).statusCode).toBe(400);
  await call('POST', `/reviews/${review.id}/report/`, first, { reason: 'other' });
  await call('POST', helpful(), first);
  await call('POST', notHelpful(other), first);
  const mine = await call('GET', url, first);
  expect(mine.headers['cache-control']).toBe('no-store');
  expect(ReviewVotes.parse(mine.json())).toEqual({
    own: [],
    helpful: [review.id],
    not_helpful: [other.id],
    reported: [review.id],
  });
  const nothing = { own: [], helpful: [], not_helpful: [], reported: [] };
  expect((await call('GET', url, third)).json()).toEqual(nothing);
  const own = (await call('GET', url, author)).json<ReviewVotes>();
  expect({ ...own, own: new Set(own.own) }).toEqual({
    ...nothing,
    own: new Set([review.id, other.id]),
  });
});

test('keys of votes and reports match neither each other nor keys of other reviews', async () => {
  const [reader] = readers;
  for (const url of [helpful, notHelpful]) await call('POST', url(await newReview()), reader);
  const { db } = server.deps;
  const votes = await db.selectFrom('review_votes').select('voter_key as key').execute();
  const reports = await db.selectFrom('review_reports').select('reporter_key as key').execute();
  const authors = await db.selectFrom('reviews').select('author_key as key').distinct().execute();
  const keys = [...votes, ...reports, ...authors].map(({ key }) => key.toString('hex'));
  expect(new Set(keys).size).toBe(keys.length);
});
