import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { get, post } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { type Call, fakeApi, jwt } from './testing/session-fakes.ts';

/** Endpoints that need a session. */
const read = (path: string) => get(path, 'signed-in', { answers });
const answers = { 200: z.unknown() };
const write = post('/b/', 'signed-in', { body: z.object({ x: z.number() }), answers });
const tokens = z.object({ access: z.string(), refresh: z.string() });
const replacing = post('/x/', 'signed-in', { body: z.object({}), answers: { 200: tokens } });

const fresh = { access_token: jwt(600), refresh_token: 'r1' };
const expired = { access_token: jwt(-5), refresh_token: 'r1' };
const REFRESH = '/auth/token/refresh/';
const refreshed = { access: jwt(900, 'new'), refresh: 'r2' };

/** Answers a refresh so, and anything with the renewed token. */
const renewedBy =
  (body: object) =>
  ({ path, headers }: Pick<Call, 'path' | 'headers'>) => {
    if (path === REFRESH) return { body };
    const isRenewed = headers.get('authorization') === `Bearer ${refreshed.access}`;
    return isRenewed ? { body: 'fine' } : { status: 401 };
  };
const pathsOf = (calls: readonly Call[]) => calls.map(({ path }) => path);

describe('every request', () => {
  test('gets the CSRF cookie once, before the first request', async () => {
    const { api, csrfCalls } = fakeApi({}, () => ({}));
    await Promise.all([api.call(read('/a/')), api.call(read('/b/'))]);
    await api.call(read('/c/'));
    expect(csrfCalls()).toBe(1);
  });

  test('has the headers of the API', async () => {
    const { api, calls } = fakeApi(fresh, () => ({}));
    await api.call(read('/a/'));
    await api.call(write, { body: { x: 1 } });
    const [get, post] = calls;
    expect(get?.headers.get('authorization')).toBe(`Bearer ${fresh.access_token}`);
    expect(get?.headers.get('x-client-version')).toBe('1.0.0');
    expect(get?.headers.get('x-request-id')).not.toBe(post?.headers.get('x-request-id'));
    expect(get?.headers.has('x-csrftoken')).toBe(false);
    expect(post?.headers.get('x-csrftoken')).toBe('c5rf');
    expect(post?.body).toEqual({ x: 1 });
  });

  test('does not send an expired token', async () => {
    const { api, calls } = fakeApi({ access_token: jwt(-1) }, () => ({}));
    await api.call(read('/a/'));
    expect(calls[0]?.headers.has('authorization')).toBe(false);
  });
});

describe('a 401', () => {
  test('renews the token and retries once', async () => {
    const { api, calls, tokens, ended } = fakeApi(fresh, renewedBy(refreshed));
    expect(await api.call(read('/a/'))).toBe('fine');
    expect(pathsOf(calls)).toEqual(['/a/', REFRESH, '/a/']);
    expect([tokens.access(), tokens.refresh()]).toEqual([refreshed.access, 'r2']);
    expect(ended).toEqual([]);
  });

  test('ends the session if the retry gets one, too', async () => {
    const { api, calls, tokens, ended } = fakeApi(fresh, renewedBy({ access: jwt(900) }));
    await expect(api.call(read('/a/'))).rejects.toMatchObject({ status: 401 });
    expect(calls).toHaveLength(3);
    expect(tokens.access()).toBeNull();
    expect(ended).toHaveLength(1);
  });

  test('ends the session when the refresh token is rejected', async () => {
    const { api, tokens, ended } = fakeApi(fresh, () => ({ status: 401 }));
    await expect(api.call(read('/a/'))).rejects.toMatchObject({ status: 401 });
    expect([tokens.access(), tokens.refresh()]).toEqual([null, null]);
    expect(ended).toHaveLength(1);
  });

  test('keeps the session if the renewal gets no response', async () => {
    const respond = ({ path }: Call) => (path === REFRESH ? 'no network' : { status: 401 });
    const { api, tokens, ended } = fakeApi(fresh, respond);
    await expect(api.call(read('/a/'))).rejects.toMatchObject({ type: 'NETWORK_ERROR' });
    expect(tokens.refresh()).toBe('r1');
    expect(ended).toEqual([]);
  });

  test('at login means a wrong password, so the session stays', async () => {
    const { api, calls, ended } = fakeApi(fresh, () => ({ status: 401 }));
    const login = api.call(sessionEndpoints.login, { body: { email: '', password: '' } });
    await expect(login).rejects.toMatchObject({ status: 401 });
    expect(calls).toHaveLength(1);
    expect(ended).toEqual([]);
  });

  test('at a password change renews the session', async () => {
    const { api } = fakeApi(fresh, renewedBy({ access: refreshed.access }));
    const body = { current_password: '', new_password: '' };
    expect(await api.call(accountEndpoints.changePassword, { body })).toBe('fine');
  });
});

describe('a request of an account', () => {
  const changes = {
    'another signs in': { access: jwt(900, '', 'ben'), refresh: 'r2' },
    'it signs out': null,
  };
  const started = (
    stored: Record<string, string>,
    next: (typeof changes)[keyof typeof changes],
  ) => {
    const all = fakeApi(stored, ({ path }) => {
      if (next) all.tokens.save(next);
      else all.tokens.clear();
      return path === REFRESH ? { body: refreshed } : { status: 401 };
    });
    return all;
  };

  test.each(Object.entries(changes))('is not sent again once %s', async (_, next) => {
    const { api, calls, tokens, ended } = started(fresh, next);
    const sent = api.call(write, { body: { x: 1 } });
    await expect(sent).rejects.toMatchObject({ status: 401 });
    expect(pathsOf(calls)).toEqual(['/b/']);
    expect([tokens.access(), ended]).toEqual([next?.access ?? null, []]);
  });

  test.each(Object.entries(changes))('is not sent if meanwhile %s', async (_, next) => {
    const { api, calls, tokens, ended } = started(expired, next);
    const sent = api.call(write, { body: { x: 1 } });
    await expect(sent).rejects.toMatchObject({ status: 401 });
    expect(pathsOf(calls)).toEqual([REFRESH]);
    expect([tokens.access(), ended]).toEqual([next?.access ?? null, []]);
  });
});

test.each([{ refresh_token: 'r1' }, { refresh_token: 'r1', access_token: 'unreadable' }])(
  'a request is sent once the tokens are renewed, whoever %o belong to',
  async (stored) => {
    const { api, calls, ended } = fakeApi(stored, renewedBy(refreshed));
    expect(await api.call(read('/a/'))).toBe('fine');
    expect([pathsOf(calls), ended]).toEqual([[REFRESH, '/a/'], []]);
  },
);

describe('renewal', () => {
  const renewing = (access: string) => async (call: { path: string; headers: Headers }) => {
    if (call.path === REFRESH) return { body: { access } };
    return call.headers.has('authorization') ? { body: 'fine' } : { status: 401 };
  };

  test('happens once for many callers, and before an expired token gets a 401', async () => {
    const { api, calls } = fakeApi(expired, renewing(jwt(900)));
    await Promise.all([api.call(read('/a/')), api.call(read('/b/')), api.call(read('/c/'))]);
    expect(pathsOf(calls).sort()).toEqual(['/a/', REFRESH, '/b/', '/c/']);
  });

  test('does not happen for a public endpoint, which needs no session', async () => {
    const { api, calls } = fakeApi(expired, () => ({}));
    await api.call(reviewEndpoints.list);
    expect(pathsOf(calls)).toEqual(['/reviews/']);
  });

  /** Another tab holds the lock. When it releases it, `afterwards` runs. */
  const heldElsewhere = (afterwards: () => void) =>
    ({
      request: async (_: string, options: LockOptions, work: (lock: unknown) => unknown) => {
        if (options.ifAvailable) return work(null);
        queueMicrotask(afterwards);
        return work({});
      },
    }) as unknown as LockManager;

  test('uses the token that another tab renewed while this one waited', async () => {
    const theirs = jwt(900, 'theirs');
    const locks = heldElsewhere(() => {
      // It reaches this tab a moment after the lock is released.
      storage.setItem('access_token', theirs);
      events.dispatchEvent(Object.assign(new Event('storage'), { key: 'access_token' }));
    });
    const { api, calls, storage, events } = fakeApi(expired, renewing('unused'), locks);
    await api.call(read('/a/'));
    expect(calls).toHaveLength(1);
    expect(calls[0]?.headers.get('authorization')).toBe(`Bearer ${theirs}`);
  });

  test('happens here if the other tab released the lock without a new token', async () => {
    const locks = heldElsewhere(() => undefined);
    const { api, calls } = fakeApi(expired, renewing(jwt(900)), locks);
    await api.call(read('/a/'));
    expect(pathsOf(calls)).toEqual([REFRESH, '/a/']);
  });

  test('keeps a session that another tab started if the refresh is rejected', async () => {
    const { api, tokens } = fakeApi(fresh, () => {
      tokens.save({ access: jwt(900, 'theirs'), refresh: 'r2' });
      return { status: 401 };
    });
    expect(await api.renew(fresh.access_token)).toBe('renewed');
    expect(tokens.refresh()).toBe('r2');
  });

  test('does not sign a user back in who signed out in the meantime', async () => {
    const { api, tokens } = fakeApi(fresh, () => {
      tokens.clear();
      return { body: { access: jwt(900), refresh: 'r2' } };
    });
    expect(await api.renew(fresh.access_token)).toBe('refused');
    expect(tokens.access()).toBeNull();
  });
});

describe.each([
  ['with Web Locks', navigator.locks],
  ['without Web Locks', undefined],
])('a request that replaces the session, %s', (_, locks) => {
  const next = { access: jwt(900, 'next'), refresh: 'r2' };

  test('stores the tokens of its response', async () => {
    const { api, tokens } = fakeApi(fresh, () => ({ body: { ...next, message: 'Done' } }), locks);
    expect(await api.replaceSession(replacing, { body: {} })).toEqual({ ...next, message: 'Done' });
    expect([tokens.access(), tokens.refresh()]).toEqual([next.access, next.refresh]);
  });

  test('blocks renewal of the old tokens until its response arrives', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    const respond = async ({ path, headers }: { path: string; headers: Headers }) => {
      if (path === '/x/') {
        asked.resolve();
        await answer.promise;
        return { body: next };
      }
      if (headers.get('authorization') === `Bearer ${next.access}`) return { body: 'fine' };
      refused.resolve();
      return { status: 401 };
    };
    const { api, calls, ended } = fakeApi(fresh, respond, locks);
    const replaced = api.replaceSession(replacing, { body: {} });
    await asked.promise;
    const got = api.call(read('/a/'));
    await refused.promise;
    answer.resolve();
    expect(await got).toBe('fine');
    await replaced;
    expect(pathsOf(calls)).toEqual(['/x/', '/a/', '/a/']);
    expect(ended).toEqual([]);
  });

  test('renews an expired session first, and keeps it when the request is rejected', async () => {
    const renewed = jwt(900, 'renewed');
    const respond = ({ path }: Call) =>
      path === REFRESH ? { body: { access: renewed } } : { status: 400 };
    const { api, tokens } = fakeApi(expired, respond, locks);
    const replaced = api.replaceSession(replacing, { body: {} });
    await expect(replaced).rejects.toMatchObject({ status: 400 });
    expect(tokens.access()).toBe(renewed);
    // The lock has been released.
    expect(await api.renew(renewed)).toBe('renewed');
  });

  test.each([null, { access: jwt(900, '', 'ben'), refresh: 'r3' }])(
    'does not sign a user back in who signed out in the meantime, before %o',
    async (other) => {
      const respond = () => {
        tokens.clear();
        if (other) tokens.save(other);
        return { body: next };
      };
      const { api, tokens } = fakeApi(fresh, respond, locks);
      await api.replaceSession(replacing, { body: {} });
      expect(tokens.access()).toBe(other?.access ?? null);
    },
  );
});

test('throws the error that the table of failed calls names', async () => {
  const { api } = fakeApi({}, ({ path }) =>
    path === '/down/' ? 'no network' : { status: 429, headers: { 'retry-after': '7' } },
  );
  const unreached = { type: 'NETWORK_ERROR', status: null };
  await expect(api.call(read('/down/'))).rejects.toMatchObject(unreached);
  await expect(api.call(read('/busy/'))).rejects.toMatchObject({ retryAfter: 7 });
  const stopped = AbortSignal.abort(new Error('called off'));
  await expect(api.call(read('/x/'), { signal: stopped })).rejects.toThrow(stopped.reason);
});
