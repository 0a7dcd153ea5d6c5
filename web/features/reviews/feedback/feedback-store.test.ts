import { expect, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { UNKNOWN_SESSION } from '#web/lib/session-store.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { createFeedbackStore, type FeedbackDeps } from './feedback-store.ts';

const nothing = () => undefined;
const review = { id: 'r1', helpful_count: 2 } as Review;

const refusal = (status: number, code: string) =>
  new ApiError({ status, retryAfter: null, body: { code } });

/** A server that remembers one vote, and a reader who may sign in and out. */
function setUp({
  votes = { own: [], helpful: [], reported: [] } as Record<string, string[]>,
} = {}) {
  const asked: string[] = [];
  const server = {
    helpful: votes['helpful']?.includes('r1') ?? false,
    refuse: null as Error | null,
  };
  let gate = Promise.resolve();
  let session = UNKNOWN_SESSION;
  const listeners = new Set<() => void>();
  async function send(method: string, path: string) {
    asked.push(`${method} ${path}`);
    await gate;
    if (server.refuse) throw server.refuse;
    if (method === 'GET') return votes;
    server.helpful = method === 'POST';
    return { helpful: server.helpful, helpful_count: server.helpful ? 3 : 2 };
  }
  const store = createFeedbackStore({
    api: {
      get: (path: string) => send('GET', path),
      post: (path: string) => send('POST', path),
      delete: (path: string) => send('DELETE', path),
    } as unknown as FeedbackDeps['api'],
    session: {
      get: () => session,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const signIn = (id: string | null) => {
    session = { ...session, user: id === null ? null : ({ id } as typeof session.user) };
    for (const listener of listeners) listener();
  };
  const hold = () => {
    let release: () => void = nothing;
    gate = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  return { store, asked, server, signIn, hold };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('asks for what is on the screen, at once for all, once somebody is signed in', async () => {
  const { store, asked, signIn } = setUp({
    votes: { own: ['r3'], helpful: ['r1'], reported: ['r2'] },
  });
  for (const id of ['r1', 'r2', 'r3']) store.watch(id, nothing);
  await settle();
  expect(asked).toEqual([]);
  signIn('u1');
  await settle();
  expect(asked).toEqual(['GET /reviews/votes/?ids=r1%2Cr2%2Cr3']);
  expect(store.get('r1').isHelpful).toBe(true);
  expect(store.get('r2').isReported).toBe(true);
  expect(store.get('r3').isOwn).toBe(true);
});

test('forgets one reader before the next, but not how many there are', async () => {
  const { store, signIn, asked } = setUp();
  store.watch('r1', nothing);
  signIn('u1');
  await store.toggleHelpful(review);
  signIn(null);
  expect(store.get('r1')).toMatchObject({ isHelpful: false, helpfulCount: 3 });
  signIn('u2');
  await settle();
  expect(asked.filter((call) => call.startsWith('GET'))).toHaveLength(2);
});

test('a vote shows at once, then as the server says; a second takes it back', async () => {
  const { store, hold, server } = setUp();
  const release = hold();
  const first = store.toggleHelpful(review);
  expect(store.get('r1')).toMatchObject({ isHelpful: true, helpfulCount: 3 });
  release();
  expect(await first).toBeNull();
  expect(server.helpful).toBe(true);
  await store.toggleHelpful(review);
  expect(store.get('r1')).toMatchObject({ isHelpful: false, helpfulCount: 2 });
  expect(server.helpful).toBe(false);
});

test('what is clicked meanwhile is sent afterwards: the last word holds', async () => {
  const { store, hold, asked, server } = setUp();
  const release = hold();
  const votes = [1, 2, 3, 4].map(() => store.toggleHelpful(review));
  expect(store.get('r1')).toMatchObject({ isHelpful: false, helpfulCount: 2 });
  release();
  await Promise.all(votes);
  expect(asked).toEqual(['POST /reviews/r1/helpful/', 'DELETE /reviews/r1/helpful/']);
  expect(server.helpful).toBe(false);
  expect(store.get('r1')).toMatchObject({ isHelpful: false, helpfulCount: 2 });
});

test('a vote that fails is taken back, and says why', async () => {
  const { store, server } = setUp();
  for (const [error, text] of [
    [refusal(403, 'own_review'), 'This is your own review.'],
    [refusal(403, 'permission_denied'), 'Only verified doctors can mark reviews as helpful.'],
    [new ApiError(null), 'Network error. Please check your internet connection.'],
  ] as const) {
    server.refuse = error;
    expect(await store.toggleHelpful(review)).toBe(text);
    expect(store.get('r1')).toMatchObject({ isHelpful: false, helpfulCount: 2 });
  }
});

test('one who is known to be the author is told without asking', async () => {
  const { store, asked, signIn } = setUp({ votes: { own: ['r1'], helpful: [], reported: [] } });
  store.watch('r1', nothing);
  signIn('u1');
  await settle();
  expect(await store.toggleHelpful(review)).toBe('This is your own review.');
  expect(asked).toHaveLength(1);
});

test('an answer that comes after a vote does not undo it', async () => {
  const { store, hold, signIn } = setUp();
  const release = hold();
  store.watch('r1', nothing);
  signIn('u1');
  await settle();
  const vote = store.toggleHelpful(review);
  release();
  await vote;
  await settle();
  expect(store.get('r1').isHelpful).toBe(true);
});
