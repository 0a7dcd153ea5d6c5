import { expect, test } from 'vitest';
import { apiPath } from '#contract/api-path.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import { fakeSession, fakeStorage, settle } from '#web/lib/testing/session-fakes.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { createBrowserList, createSavedStore, type SavedDeps } from './saved-store.ts';

const refused = (status: number) =>
  new ApiError({ status, retryAfter: null, body: { message: 'no room' } });
const full = refused(409);

/** A server with one account's list, and a browser. */
function setUp(kept: unknown = null) {
  const storage = fakeStorage(kept === null ? {} : { saved: JSON.stringify(kept) });
  const { session, signIn } = fakeSession();
  const asked: string[] = [];
  const kinds = { takes: (_entry: string) => true, refusal: full };
  const server = {
    ...{ entries: [] as string[], weekly_mail: false, asked, ...kinds },
    answered: async () => {},
  };
  async function call(
    endpoint: Endpoint,
    input?: { body: { entries?: string[]; weekly_mail?: boolean } },
  ) {
    asked.push(`${endpoint.method} ${apiPath(endpoint)}`);
    const { entries = [], weekly_mail = server.weekly_mail } = input?.body ?? {};
    server.weekly_mail = weekly_mail;
    if (endpoint.path === '/saved/' && entries.some((one) => !server.takes(one)))
      throw server.refusal;
    if (endpoint.path === '/saved/remove/') {
      server.entries = server.entries.filter((one) => !entries.includes(one));
    } else server.entries = [...new Set([...entries, ...server.entries])];
    const answer = { entries: server.entries, weekly_mail };
    await server.answered();
    return answer;
  }
  const store = createSavedStore({
    api: { call } as unknown as SavedDeps['api'],
    session,
    settled: async () => session.get(),
    browser: createBrowserList(storage, new EventTarget()),
  });
  const stored = () => JSON.parse(storage.getItem('saved') ?? 'null');
  return { store, server, signIn, stored };
}

test('without an account, saves in the browser and sends no request', async () => {
  const { store, server, stored } = setUp();
  expect(await store.toggle('/employers/1')).toBeNull();
  expect(await store.toggle('/reviews?state=TX')).toBeNull();
  expect(store.get().entries).toEqual(['/reviews?state=TX', '/employers/1']);
  expect(stored()).toEqual(['/reviews?state=TX', '/employers/1']);
  await store.toggle('/employers/1');
  await store.toggle('/reviews?state=TX');
  expect(stored()).toBeNull();
  expect(server.asked).toEqual([]);
});

test.each([
  ['not a list', { length: 3 }],
  ['other addresses', ['javascript:x', '//a.example', '/reviews?b=1&a=1', '/employers/01', 7]],
  ['an address that is too long', [`/reviews?search=${'x'.repeat(400)}`]],
])('ignores invalid values in the browser: %s', (_, kept) => {
  expect(setUp(kept).store.get().entries).toEqual([]);
});

test('reads no more entries than fit, and says when there is no room', async () => {
  const many = Array.from({ length: SAVED_MAX + 5 }, (_, at) => `/employers/${at + 1}`);
  const { store, stored } = setUp(many);
  expect(store.get().entries).toEqual(many.slice(0, SAVED_MAX));
  expect(await store.toggle('/employers/999')).toMatch(/no room/);
  expect(stored()).toEqual(many);
});

test('loads the list of the account once for all buttons, and moves the entries of the browser there', async () => {
  const { store, server, signIn, stored } = setUp(['/employers/1']);
  server.entries = ['/employers/2'];
  for (let at = 0; at < 3; at += 1) store.subscribe(() => undefined);
  signIn('u1');
  await settle();
  expect(server.asked).toEqual(['GET /saved/', 'POST /saved/']);
  expect(store.get().entries).toEqual(['/employers/1', '/employers/2']);
  expect(stored()).toBeNull();
});

test('keeps in the browser what the account has no room for, and shows both', async () => {
  const { store, server, signIn, stored } = setUp(['/employers/1', '/employers/4']);
  server.entries = ['/employers/2'];
  server.takes = (entry) => entry === '/employers/4';
  store.subscribe(() => undefined);
  signIn('u1');
  await settle();
  expect(store.get().entries).toEqual(['/employers/4', '/employers/2', '/employers/1']);
  expect(stored()).toEqual(['/employers/1']);
  expect(await store.toggle('/employers/3')).toBe(full.message);
});

test('an entry that is no longer valid does not keep the others from moving to the account', async () => {
  const entries = ['/reviews?old=1', '/employers/4', '/employers/5'];
  const { store, server, signIn, stored } = setUp(entries);
  server.takes = (entry) => entry !== '/reviews?old=1';
  server.refusal = refused(400);
  store.subscribe(() => undefined);
  signIn('u1');
  await settle();
  expect(server.entries).toEqual(['/employers/4', '/employers/5']);
  expect(stored()).toEqual(['/reviews?old=1']);
  await store.toggle('/reviews?old=1');
  expect(stored()).toBeNull();
});

test('shows no entries of an account after signing out, or to the next user', async () => {
  const { store, server, signIn } = setUp();
  server.entries = ['/employers/2'];
  store.subscribe(() => undefined);
  signIn('u1');
  await settle();
  expect(store.get().entries).toEqual(['/employers/2']);
  signIn(null);
  expect(store.get()).toEqual({ entries: [], account: null });
  signIn('u2');
  expect(store.get().entries).toEqual([]);
});

test('a second click during the first request sends nothing', async () => {
  const { store, server, signIn } = setUp();
  signIn('u1');
  await Promise.all([store.toggle('/employers/1'), store.toggle('/employers/1')]);
  expect(server.asked).toEqual(['GET /saved/', 'POST /saved/']);
  expect(store.get().entries).toEqual(['/employers/1']);
  await store.toggle('/employers/1');
  expect(server.entries).toEqual([]);
});

test('an answer that takes longer does not undo a later click', async () => {
  const { store, server, signIn } = setUp();
  signIn('u1');
  await store.reload();
  const held: (() => void)[] = [];
  server.answered = () => new Promise((resolve) => held.push(resolve));
  const clicks = [
    store.toggle('/employers/1'),
    store.setWeeklyMail({ body: { weekly_mail: true } }),
    store.toggle('/employers/2'),
  ];
  for (const _ of clicks) {
    await settle();
    // The latest first.
    held.pop()?.();
  }
  await Promise.all(clicks);
  const entries = ['/employers/2', '/employers/1'];
  expect(store.get()).toEqual({ entries, account: { entries, weekly_mail: true } });
});

test('the weekly email of an account is not shown to the next user', async () => {
  const { store, server, signIn } = setUp();
  signIn('u1');
  await store.reload();
  let answer = () => {};
  server.answered = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const change = store.setWeeklyMail({ body: { weekly_mail: true } });
  await settle();
  signIn('u2');
  answer();
  await change;
  expect(store.get().account).toBeNull();
});
