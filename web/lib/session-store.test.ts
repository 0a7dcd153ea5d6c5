import { expect, test } from 'vitest';
import type { Doctor } from '#contract/verification/doctors.ts';
import { createSessionStore } from './session-store.ts';
import { fakeApi, jwt, NOW, settle } from './testing/session-fakes.ts';

const user = { id: 'ada', first_name: 'Ada', last_name: 'Quist' };
const doctor = { verified: true, can_post_reviews: false };
const stored = { access_token: jwt(600), refresh_token: 'r1' };

type Respond = Parameters<typeof fakeApi>[1];
const account: Respond = ({ path }) => ({ body: path === '/auth/user/' ? user : doctor });
/** Answers like the account, but to one path so. */
const except =
  (path: string, answer: Awaited<ReturnType<Respond>>): Respond =>
  (call) =>
    call.path === path ? answer : account(call);
const REFRESH = '/auth/token/refresh/';

function start(tokens: Record<string, string>, respond: Respond = account) {
  const api = fakeApi(tokens, respond);
  const flags: boolean[] = [];
  const forgotten: number[] = [];
  const left: number[] = [];
  const timers: { run: () => void; ms: number }[] = [];
  const store = createSessionStore({
    api: api.api,
    tokens: api.tokens,
    now: () => NOW,
    setTimer: (run, ms) => timers.push({ run, ms }),
    clearTimer: () => undefined,
    flag: (signedIn) => void flags.push(signedIn),
    forget: () => void forgotten.push(1),
    leave: () => void left.push(1),
  });
  store.start();
  const settled = () => expect.poll(() => store.get().isLoading).toBe(false);
  const elsewhere = (access: string | null, event: Event) => {
    if (access === null) api.storage.removeItem('access_token');
    else api.storage.setItem('access_token', access);
    api.events.dispatchEvent(event);
  };
  return { ...api, store, flags, forgotten, left, timers, settled, elsewhere };
}

test('without a token nobody is signed in, and nothing is requested', () => {
  const { store, calls } = start({});
  expect(store.get()).toMatchObject({ isLoading: false, isAuthenticated: false, user: null });
  expect(calls).toEqual([]);
});

test('with a token, the user and the doctor are loaded together', async () => {
  const { store, settled, flags } = start(stored);
  expect(store.get()).toMatchObject({ isLoading: true, isAuthenticated: false });
  expect(flags).toEqual([true]);
  await settled();
  const permissions = { isVerifiedDoctor: true, canPostReviews: false };
  const loaded = { user, doctor, isLoading: false, isAuthenticated: true, ...permissions };
  expect(store.get()).toEqual(loaded);
});

test('shows an updated doctor, unless it belongs to another user', async () => {
  const known = { ...user, id: 'ada' };
  const { store, settled } = start(stored, ({ path }) => {
    return { body: path === '/auth/user/' ? known : doctor };
  });
  await settled();
  const proven = { ...doctor, user: known, can_post_reviews: true } as unknown as Doctor;
  store.setDoctor({ ...proven, user: { ...proven.user, id: 'somebody-else' } });
  expect(store.get().canPostReviews).toBe(false);
  store.setDoctor(proven);
  expect(store.get()).toMatchObject({ user: known, doctor: proven, canPostReviews: true });
});

test('tolerates one failed request as null', async () => {
  const respond = except('/doctors/me/', { status: 404 });
  const { store, settled, tokens } = start(stored, respond);
  await settled();
  expect(store.get()).toMatchObject({ isAuthenticated: true, doctor: null });
  expect(tokens.access()).not.toBeNull();
});

test('what fails to load again stays as it was', async () => {
  const failing = { path: '' };
  const { store, settled } = start(stored, (call) =>
    call.path === failing.path ? 'no network' : account(call),
  );
  await settled();
  for (failing.path of ['/auth/user/', '/doctors/me/']) {
    await store.reload();
    expect(store.get()).toMatchObject({ user, doctor });
  }
});

test('removes the tokens when both requests fail, unless there was no response', async () => {
  const refused = start(stored, () => ({ status: 500 }));
  await refused.settled();
  expect(refused.tokens.access()).toBeNull();
  expect(refused.flags.at(-1)).toBe(false);

  const offline = start(stored, () => 'no network');
  await offline.settled();
  expect(offline.tokens.access()).not.toBeNull();
  expect(offline.store.get().isAuthenticated).toBe(false);
});

test('an account that is refused after it was shown leaves the page', async () => {
  let isRefused = false;
  const { store, settled, left, tokens } = start(stored, (call) =>
    isRefused ? { status: 403 } : account(call),
  );
  await settled();
  isRefused = true;
  await store.reload();
  expect([left.length, tokens.access()]).toEqual([1, null]);
});

test.for([
  ['a busy server', { status: 503 }],
  ['a limit', { status: 429 }],
  ['no network', 'no network'],
] as const)('an account that is shown stays so if a reload finds %s', async ([, answer]) => {
  let isReloading = false;
  const { store, settled, left, tokens } = start(stored, (call) =>
    isReloading ? answer : account(call),
  );
  await settled();
  const shown = store.get();
  isReloading = true;
  await store.reload();
  expect([left, tokens.access(), store.get()]).toEqual([[], stored.access_token, shown]);
});

test('an account without a doctor profile stays signed in when its own request has no response', async () => {
  const answers: Record<string, { status: number }> = { '/doctors/me/': { status: 404 } };
  const leaving = start(stored, ({ path }) => answers[path] ?? 'no network');
  await leaving.settled();
  expect(leaving.tokens.access()).not.toBeNull();
});

test('renews the token two minutes before it expires, but not within five seconds', () => {
  expect(start(stored).timers.map(({ ms }) => ms)).toEqual([480_000]);
  const nearlyOver = { access_token: jwt(121), refresh_token: 'r1' };
  expect(start(nearlyOver).timers.map(({ ms }) => ms)).toEqual([5000]);
});

test('an early renewal schedules the next one, and keeps the account', async () => {
  const respond = except(REFRESH, { body: { access: jwt(900, 'new'), refresh: 'r2' } });
  const { timers, tokens, store, settled } = start(stored, respond);
  await settled();
  timers[0]?.run();
  await expect.poll(() => tokens.refresh()).toBe('r2');
  expect(timers.at(-1)?.ms).toBe(780_000);
  expect(store.get().isAuthenticated).toBe(true);
});

test('an early renewal that is rejected ends the session; a busy server does not', async () => {
  const refused = start(stored, except(REFRESH, { status: 401 }));
  await refused.settled();
  refused.timers[0]?.run();
  await expect.poll(() => refused.ended.length).toBe(1);
  expect(refused.store.get().isAuthenticated).toBe(false);

  const busy = start(stored, except(REFRESH, { status: 503 }));
  await busy.settled();
  busy.timers[0]?.run();
  await expect.poll(() => busy.timers.length).toBe(2);
  expect(busy.timers[1]?.ms).toBe(480_000);
  expect(busy.store.get().isAuthenticated).toBe(true);
});

test('signing in takes the account from the response, or loads it', async () => {
  const brought = start({});
  const answer = { access: jwt(600), refresh: 'r1', user, doctor } as never;
  await brought.store.signIn(answer);
  expect(brought.store.get()).toMatchObject({ user, doctor, isAuthenticated: true });
  expect(brought.calls).toEqual([]);

  const asked = start({});
  await asked.store.signIn({ access: jwt(600), refresh: 'r1' });
  expect(asked.store.get().isAuthenticated).toBe(true);
  expect(asked.calls).toHaveLength(2);
});

test('signing out clears everything, even when the call fails', async () => {
  for (const failure of ['no network', { status: 500 }] as const) {
    const respond = except('/auth/logout/', failure);
    const { store, settled, tokens, calls, flags, forgotten } = start(stored, respond);
    await settled();
    await store.signOut();
    expect(calls.at(-1)).toMatchObject({ path: '/auth/logout/', body: { refresh: 'r1' } });
    expect([tokens.access(), tokens.refresh()]).toEqual([null, null]);
    expect(store.get()).toMatchObject({ user: null, doctor: null, isAuthenticated: false });
    expect(flags.at(-1)).toBe(false);
    expect(forgotten).toHaveLength(1);
  }
});

test.each(['during', 'after'])(
  'a request refused %s the sign-out is no expired session',
  async (when) => {
    const refusal = Promise.withResolvers<{ status: number }>();
    const answer = Promise.withResolvers<{ body: object }>();
    let isKnown = false;
    const { store, settled, calls, ended, left } = start(stored, (call) => {
      if (call.path === '/auth/logout/') return answer.promise;
      if (call.path === REFRESH) return { status: 401 };
      return isKnown ? refusal.promise : account(call);
    });
    await settled();
    isKnown = true;
    const done = Promise.all([store.reload(), store.signOut()]);
    await expect.poll(() => calls.length).toBe(5);
    const ends = [() => refusal.resolve({ status: 401 }), () => answer.resolve({ body: {} })];
    for (const end of when === 'during' ? ends : ends.toReversed()) {
      end();
      await settle();
    }
    await done;
    expect([ended, left]).toEqual([[], []]);
    expect(store.get().isAuthenticated).toBe(false);
  },
);

const byAnotherTab = () => Object.assign(new Event('storage'), { key: 'access_token' });
const onReturn = () => Object.assign(new Event('pageshow'), { persisted: true });

test.each([
  ['a change by another tab', byAnotherTab],
  ['a return to the page', onReturn],
])('%s leaves the page if its account is not signed in any more', async (_, event) => {
  for (const access of [null, jwt(600, '', 'ben')]) {
    const { left, store, settled, calls, elsewhere } = start(stored);
    await settled();
    elsewhere(jwt(900, 'renewed'), event());
    expect(left).toHaveLength(0);
    elsewhere(access, event());
    expect(left).toHaveLength(1);
    // The page is on its way out: no account is loaded into it.
    expect(store.get().user).toEqual(user);
    expect(calls).toHaveLength(2);
  }
});

test('a page that shows no account follows a sign-in elsewhere', async () => {
  for (const event of [byAnotherTab, onReturn]) {
    const { left, store, elsewhere } = start({});
    elsewhere(jwt(600), event());
    await expect.poll(() => store.get().isAuthenticated).toBe(true);
    expect(left).toHaveLength(0);
  }
});

test('an account that is loaded too late is not shown to the next one', async () => {
  const answers: (() => void)[] = [];
  const { store } = start(
    stored,
    (call) => new Promise((resolve) => answers.push(() => resolve(account(call) as never))),
  );
  await expect.poll(() => answers.length).toBe(2);
  const ben = { ...user, first_name: 'Ben' };
  await store.signIn({ access: jwt(600, '', 'ben'), refresh: 'r2', user: ben, doctor } as never);
  for (const answer of answers) answer();
  await settle();
  expect(store.get().user).toEqual(ben);
});
