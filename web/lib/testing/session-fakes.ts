import { createApi } from '../api.ts';
import { UNKNOWN_SESSION } from '../session-store.ts';
import { createStore } from '../store.ts';
import { createTokenStore } from '../token-store.ts';

/** Stand-ins for the browser, for the tests of web/lib. */

export const NOW = Date.UTC(2026, 0, 15, 12);
const SECOND_MS = 1000;

/**
 * An unsigned JWT of an account that expires `secondsLeft` after `NOW`. `id` makes it distinct from
 * others.
 */
export function jwt(secondsLeft: number, id = '', sub = 'ada'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: NOW / SECOND_MS + secondsLeft, id, sub })}.`;
}

export function fakeStorage(initial: Record<string, string> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (place: number) => [...items.keys()][place] ?? null,
    get length() {
      return items.size;
    },
  };
}

/** A session that users sign in to, and out of (null). */
export function fakeSession() {
  const session = createStore({ ...UNKNOWN_SESSION, isLoading: false });
  const signIn = (id: string | null) => {
    const user = id === null ? null : ({ id } as typeof UNKNOWN_SESSION.user);
    session.set({ ...session.get(), user });
  };
  return { session, signIn };
}

/** Lets everything run that does not wait for a timer. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export interface Call {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | 'no network';

/** An API client that gets its responses from `respond`. `calls` omits the CSRF call. */
export function fakeApi(
  stored: Record<string, string>,
  respond: (call: Call) => Answer | Promise<Answer>,
  locks?: Pick<LockManager, 'request'>,
) {
  const storage = fakeStorage(stored);
  const events = new EventTarget();
  const tokens = createTokenStore(storage, events);
  const calls: Call[] = [];
  const ended: number[] = [];
  let csrfCalls = 0;
  const api = createApi({
    tokens,
    now: () => NOW,
    cookies: () => 'theme=x; csrftoken=c5rf',
    locks,
    onSessionEnd: () => void ended.push(1),
    async fetch(input, init) {
      const path = String(input).replace(/^\/api/, '');
      if (path === '/csrf/') {
        csrfCalls += 1;
        return new Response(null, { status: 204 });
      }
      const call = {
        method: init?.method ?? 'GET',
        path,
        headers: new Headers(init?.headers),
        body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
      };
      calls.push(call);
      const answer = await respond(call);
      if (answer === 'no network') throw new TypeError('Failed to fetch');
      const { status = 200, headers = {} } = answer;
      return Response.json(answer.body ?? null, { status, headers });
    },
  });
  return { api, tokens, storage, events, calls, ended, csrfCalls: () => csrfCalls };
}
