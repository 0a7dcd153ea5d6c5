import { expect, test } from 'vitest';
import { type ApiPathInput, apiPath } from '#contract/api-path.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Vote } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { fakeSession, settle } from '#web/lib/testing/session-fakes.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { createFeedbackStore, type FeedbackDeps } from './feedback.ts';

const nothing = () => undefined;
const review = { id: 'r1', helpful_count: 2 } as Review;

const refusal = (status: number, code: string) =>
  new ApiError({ status, retryAfter: null, body: { code } });

const NOTHING = { own: [], helpful: [], not_helpful: [], reported: [] };

/** A server that remembers one vote for 'r1', and a reader who may sign in and out. */
function setUp(votes: Partial<Record<keyof typeof NOTHING, string[]>> = {}) {
  const asked: string[] = [];
  const server = { vote: null as Vote | null, refuse: null as Error | null };
  let gate = Promise.resolve();
  const { session, signIn } = fakeSession();
  async function call(endpoint: Endpoint, input: ApiPathInput) {
    const { method } = endpoint;
    const path = apiPath(endpoint, input);
    asked.push(`${method} ${path}`);
    await gate;
    if (server.refuse) throw server.refuse;
    if (method === 'GET') return { ...NOTHING, ...votes };
    const kind = path.includes('not-helpful') ? 'not_helpful' : 'helpful';
    if (method === 'POST') server.vote = kind;
    else if (server.vote === kind) server.vote = null;
    return { vote: server.vote, helpful_count: server.vote === 'helpful' ? 3 : 2 };
  }
  const store = createFeedbackStore({ api: { call } as FeedbackDeps['api'], session });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { store, asked, server, signIn, hold };
}

test('loads the votes of all reviews on the screen in one request, once someone is signed in', async () => {
  const votes = { own: ['r3'], helpful: ['r1'], not_helpful: ['r4'], reported: ['r2'] };
  const { store, asked, signIn } = setUp(votes);
  for (const id of ['r1', 'r2', 'r3', 'r4']) store.watch(id, nothing);
  await settle();
  expect(asked).toEqual([]);
  signIn('u1');
  await settle();
  expect(asked).toEqual(['GET /reviews/votes/?ids=r1%2Cr2%2Cr3%2Cr4']);
  const shown = ['r1', 'r2', 'r4'].map((id) => store.get(id).vote);
  expect(shown).toEqual(['helpful', null, 'not_helpful']);
  expect(store.get('r2').isReported).toBe(true);
  expect(store.get('r3').isOwn).toBe(true);
});

test("forgets one reader's votes before the next signs in, but keeps the counts", async () => {
  const { store, signIn, asked } = setUp();
  store.watch('r1', nothing);
  signIn('u1');
  await store.toggleVote(review, 'helpful');
  signIn(null);
  expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 3 });
  signIn('u2');
  await settle();
  expect(asked.filter((call) => call.startsWith('GET'))).toHaveLength(2);
});

test("does not show one reader's late votes to the next", async () => {
  const { store, hold, signIn } = setUp({ own: ['r1'], helpful: ['r1'] });
  const release = hold();
  store.watch('r1', nothing);
  signIn('u1');
  await settle();
  signIn(null);
  release();
  await settle();
  expect(store.get('r1')).toMatchObject({ isOwn: false, vote: null });
});

test('shows a vote right away, then the response of the server; a second click withdraws it', async () => {
  const { store, hold, server } = setUp();
  const release = hold();
  const first = store.toggleVote(review, 'helpful');
  expect(store.get('r1')).toMatchObject({ vote: 'helpful', helpfulCount: 3 });
  release();
  expect(await first).toBeNull();
  expect(server.vote).toBe('helpful');
  await store.toggleVote(review, 'helpful');
  expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 2 });
  expect(server.vote).toBeNull();
});

test('the opposite vote replaces the first one, and only one is counted', async () => {
  const { store, asked, server } = setUp();
  await store.toggleVote(review, 'helpful');
  const turned = store.toggleVote(review, 'not_helpful');
  expect(store.get('r1')).toMatchObject({ vote: 'not_helpful', helpfulCount: 2 });
  await turned;
  expect(server.vote).toBe('not_helpful');
  await store.toggleVote(review, 'not_helpful');
  expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 2 });
  const [helpful, other] = ['/reviews/r1/helpful/', '/reviews/r1/not-helpful/'];
  expect(asked).toEqual([`POST ${helpful}`, `POST ${other}`, `DELETE ${other}`]);
});

test('sends clicks made during a request afterwards, and the last one wins', async () => {
  const { store, hold, asked, server } = setUp();
  const release = hold();
  const votes = [1, 2, 3, 4].map(() => store.toggleVote(review, 'helpful'));
  expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 2 });
  release();
  await Promise.all(votes);
  expect(asked).toEqual(['POST /reviews/r1/helpful/', 'DELETE /reviews/r1/helpful/']);
  expect(server.vote).toBeNull();
  expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 2 });
});

test.each([
  [['helpful', 'not_helpful'], 'not_helpful'],
  [['not_helpful', 'helpful'], 'helpful'],
  [['helpful', 'not_helpful', 'helpful'], 'helpful'],
  [['helpful', 'not_helpful', 'not_helpful'], null],
] as const)('after %j while the first is being sent, %s remains', async (clicks, left) => {
  const { store, hold, server } = setUp();
  const release = hold();
  const votes = clicks.map((kind) => store.toggleVote(review, kind));
  const helpfulCount = left === 'helpful' ? 3 : 2;
  expect(store.get('r1')).toMatchObject({ vote: left, helpfulCount });
  release();
  await Promise.all(votes);
  expect(server.vote).toBe(left);
  expect(store.get('r1')).toMatchObject({ vote: left, helpfulCount });
});

test("does not send one reader's clicks for the next reader", async () => {
  const { store, hold, asked, signIn } = setUp();
  signIn('u1');
  const release = hold();
  const vote = store.toggleVote(review, 'helpful');
  signIn('u2');
  release();
  expect(await vote).toBeNull();
  expect(asked).toEqual(['POST /reviews/r1/helpful/']);
  expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 3 });
});

test('a vote that fails is reverted, with the reason', async () => {
  const { store, server } = setUp();
  for (const [error, text] of [
    [refusal(403, 'own_review'), 'This is your own review.'],
    [refusal(403, 'permission_denied'), 'Only verified doctors can mark reviews as helpful.'],
    [new ApiError(null), 'Network error. Please check your internet connection.'],
  ] as const) {
    server.refuse = null;
    await store.toggleVote(review, 'helpful');
    server.refuse = error;
    expect(await store.toggleVote(review, 'not_helpful')).toBe(text);
    expect(store.get('r1')).toMatchObject({ vote: 'helpful', helpfulCount: 3 });
    expect(await store.toggleVote(review, 'helpful')).toBe(text);
    expect(store.get('r1')).toMatchObject({ vote: 'helpful', helpfulCount: 3 });
    server.refuse = null;
    await store.toggleVote(review, 'helpful');
    server.refuse = error;
    expect(await store.toggleVote(review, 'helpful')).toBe(text);
    expect(store.get('r1')).toMatchObject({ vote: null, helpfulCount: 2 });
  }
});

test('shows the error for an own review without a request', async () => {
  const { store, asked, signIn } = setUp({ own: ['r1'] });
  store.watch('r1', nothing);
  signIn('u1');
  await settle();
  for (const vote of ['helpful', 'not_helpful'] as const) {
    expect(await store.toggleVote(review, vote)).toBe('This is your own review.');
  }
  expect(asked).toHaveLength(1);
});

test('a late response does not undo a vote', async () => {
  const { store, hold, signIn } = setUp();
  const release = hold();
  store.watch('r1', nothing);
  signIn('u1');
  await settle();
  const vote = store.toggleVote(review, 'helpful');
  release();
  await vote;
  await settle();
  expect(store.get('r1').vote).toBe('helpful');
});
