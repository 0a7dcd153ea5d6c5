import type { Tokens } from '#contract/accounts/accounts.ts';
import { type ApiPathInput, apiPath } from '#contract/api-path.ts';
import type { Answer, Argument, Endpoint, Input, Target } from '#contract/endpoint.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import {
  API_TIMEOUT_MS,
  CLIENT_VERSION,
  CSRF_TIMEOUT_MS,
  LOGOUT_TIMEOUT_MS,
} from '#contract/limits.ts';
import { padded } from '#contract/transport.ts';
import { isUsable, ownerOf, type TokenStore } from './token-store.ts';
import { ApiError } from './transport-error.ts';

/**
 * `refused`: the refresh token is invalid or missing. `failed`: the server had an error.
 * `unreachable`: there was no response.
 */
type RenewalOutcome = 'renewed' | 'refused' | 'failed' | 'unreachable';

interface RenewalDeps {
  tokens: TokenStore;
  now: () => number;
  /** `POST /auth/token/refresh/`; throws an ApiError. */
  exchange: (refresh: string) => Promise<{ access: string; refresh?: string }>;
  /** Web Locks, which work across tabs. Undefined if the browser has none. */
  locks: Pick<LockManager, 'request'> | undefined;
}

const LOCK = 'curbside-token-refresh';

/** What another tab has stored may take a moment to reach this tab's process. */
const STORAGE_LAG_MS = 250;

/**
 * Renews the access token. Only one renewal runs at a time in this tab and, with the lock, in all
 * tabs. A second caller gets the first one's result, and a second tab finds the first one's new
 * token.
 */
export function createRenewal({ tokens, now, exchange, locks }: RenewalDeps) {
  let underWay: Promise<RenewalOutcome> | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** Runs exclusively: in all tabs with Web Locks, otherwise in this tab. */
  const inTurn = <T>(work: () => Promise<T>, options: LockOptions = {}) => withLock(options, work);

  function inTurnHere<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Some browsers have no locks, or refuse them if the reader blocks site data. */
  async function withLock<T>(
    options: LockOptions,
    work: (isHeld: boolean) => Promise<T>,
  ): Promise<T> {
    let isGranted = false;
    try {
      if (locks) {
        return await locks.request(LOCK, options, (lock) => {
          isGranted = true;
          return work(lock !== null);
        });
      }
    } catch (error) {
      if (isGranted) throw error;
    }
    return inTurnHere(() => work(true));
  }

  async function renewFrom(stale: string | null): Promise<RenewalOutcome> {
    const access = tokens.access();
    if (access !== stale && isUsable(tokens, now())) return 'renewed';
    const refresh = tokens.refresh();
    if (refresh === null) return 'refused';
    try {
      const renewed = await exchange(refresh);
      if (tokens.refresh() === refresh) {
        tokens.save(renewed);
        return 'renewed';
      }
    } catch (error) {
      const outcome = outcomeOf(error);
      if (tokens.refresh() === refresh) return outcome;
    }
    // The user has signed out, which the response must not undo, or another tab has a new session.
    return tokens.refresh() === null ? 'refused' : 'renewed';
  }

  /** Waits briefly for the tokens that another tab has renewed. */
  function changeOf(stale: string | null): Promise<void> {
    return new Promise((resolve) => {
      if (tokens.access() !== stale) return resolve();
      const stop = tokens.subscribe(done);
      const timer = setTimeout(done, STORAGE_LAG_MS);
      function done() {
        stop();
        clearTimeout(timer);
        resolve();
      }
    });
  }

  async function renewInTurn(stale: string | null): Promise<RenewalOutcome> {
    const ifFirst = { ifAvailable: true };
    const outcome = await withLock(ifFirst, async (isHeld) => (isHeld ? renewFrom(stale) : null));
    if (outcome !== null) return outcome;
    return inTurn(async () => {
      await changeOf(stale);
      return renewFrom(stale);
    });
  }

  /** `stale` is the access token to replace. */
  function renew(stale: string | null): Promise<RenewalOutcome> {
    underWay ??= renewInTurn(stale).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return { renew, inTurn };
}

function outcomeOf(error: unknown): RenewalOutcome {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === null) return 'unreachable';
  return [400, 401, 403].includes(error.status) ? 'refused' : 'failed';
}

interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** With the session as it is: renews nothing, ends nothing, and asks nobody for a code. */
  inBackground?: boolean;
}

/** What a call sends, checked against its endpoint by `Input`. */
interface Sent extends ApiPathInput, CallOptions {
  body?: unknown;
}

interface ApiDeps {
  fetch: typeof fetch;
  tokens: TokenStore;
  now: () => number;
  /** `document.cookie`, read again for each request. */
  cookies: () => string;
  locks: Pick<LockManager, 'request'> | undefined;
  /** The session could not be renewed, and its tokens have been deleted. */
  onSessionEnd: () => void;
}

export type Api = ReturnType<typeof createApi>;

/** The client of `/api` (docs/product.md, "API client"). Everything it throws is an ApiError. */
export function createApi({ fetch, tokens, now, cookies, locks, onSessionEnd }: ApiDeps) {
  let csrfReady: Promise<unknown> | null = null;

  async function send(target: Target, options: Sent): Promise<unknown> {
    const { method } = target;
    // An error here is not fatal: the server then checks the request's origin.
    csrfReady ??= fetch(`/api${sessionEndpoints.csrf.path}`, {
      credentials: 'include',
      signal: AbortSignal.timeout(CSRF_TIMEOUT_MS),
    }).catch(() => null);
    await csrfReady;

    const headers = new Headers({
      Accept: 'application/json',
      'X-Client-Version': CLIENT_VERSION,
      'X-Request-ID': randomId(),
    });
    const access = tokens.access();
    if (isUsable(tokens, now())) headers.set('Authorization', `Bearer ${access}`);
    const csrf = method === 'GET' ? null : csrfToken(cookies());
    if (csrf !== null) headers.set('X-CSRFToken', csrf);
    const init: RequestInit = { method, headers, credentials: 'include' };
    if (options.body instanceof Blob) {
      headers.set('Content-Type', 'application/octet-stream');
      init.body = options.body;
    } else if (options.body !== undefined) {
      headers.set('Content-Type', 'application/json');
      init.body = padded(JSON.stringify(options.body));
    }
    const { signal } = options;
    // Not `AbortSignal.any`, which browsers before 2024 do not have.
    const either = new AbortController();
    const abort = () => either.abort();
    for (const each of [signal, AbortSignal.timeout(options.timeoutMs ?? API_TIMEOUT_MS)])
      each?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    init.signal = either.signal;
    try {
      return await readAnswer(await fetch(`/api${apiPath(target, options)}`, init));
    } catch (error) {
      // The caller knows why it aborted. Any other error is a network error.
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ApiError ? error : new ApiError(null, error);
    }
  }

  const { renew, inTurn } = createRenewal({
    tokens,
    now,
    locks,
    exchange: (refresh) => send(sessionEndpoints.refresh, { body: { refresh } }) as Promise<Tokens>,
  });

  /**
   * For requests that end every session and return a new one. No tab may renew the old tokens at the
   * same time: the 401 would end the new session, too.
   */
  const sendForTokens: typeof send = (target, options) =>
    inTurn(async () => {
      const answer = (await send(target, options)) as Tokens;
      // If someone has signed out in the meantime, or in, do not sign in again.
      if (tokens.owner() === ownerOf(answer.access)) tokens.save(answer);
      return answer;
    });

  function endSession(): void {
    tokens.clear();
    onSessionEnd();
  }

  /**
   * Signs out here and in every other tab, even if the request fails. No tab may renew the tokens at
   * the same time: the refusal would look like an expired session.
   */
  function signOut(): Promise<void> {
    return inTurn(
      async () => {
        const refresh = tokens.refresh();
        const timeoutMs = LOGOUT_TIMEOUT_MS;
        try {
          if (refresh !== null)
            await send(sessionEndpoints.logout, { body: { refresh }, timeoutMs });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
        } finally {
          tokens.clear();
        }
      },
      // Whoever signs out on a borrowed computer does not wait for a renewal that hangs.
      { signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) },
    );
  }

  async function request(target: Target, options: Sent = {}, deliver = send): Promise<unknown> {
    // A 401 from a public endpoint says nothing about the session.
    if (target.access === 'public' || options.inBackground) return send(target, options);

    const owner = tokens.owner();
    // After a sign-out or another sign-in, the request is nobody's, and no session has expired.
    const isOwned = () => !owner || tokens.owner() === owner;

    // A token that has expired is renewed before it causes a 401.
    const before = tokens.access();
    let renewal: RenewalOutcome | null = null;
    if (tokens.refresh() !== null && !isUsable(tokens, now())) renewal = await renew(before);
    if (!isOwned()) throw new ApiError({ status: 401, retryAfter: null, body: null });

    const used = tokens.access();
    try {
      return await deliver(target, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isHandled = await client.onFailure?.(error);
      if (isHandled && isOwned()) return request(target, options, deliver);
      if (error.status !== 401) throw error;
      // Only once: a renewal that was just tried is not repeated.
      renewal ??= await renew(used);
      if (!isOwned()) throw error;
      if (renewal === 'unreachable') throw new ApiError(null, error);
      if (renewal !== 'renewed') {
        endSession();
        throw error;
      }
      try {
        return await deliver(target, options);
      } catch (again) {
        if (again instanceof ApiError && again.status === 401 && isOwned()) endSession();
        throw again;
      }
    }
  }

  const client = {
    /**
     * Set by the pages of the office. Handles an error, and resolves to whether the request may now
     * succeed.
     */
    onFailure: undefined as ((error: ApiError) => Promise<boolean>) | undefined,
    call: <E extends Endpoint>(endpoint: E, ...[input]: Argument<Input<E> & CallOptions>) =>
      request(endpoint, input as Sent) as Promise<Answer<E>>,
    /** For endpoints that end every session and return a new one. */
    replaceSession: <E extends Endpoint>(
      endpoint: Answer<E> extends Tokens ? E : never,
      input: Input<E>,
    ) => request(endpoint, input as Sent, sendForTokens) as Promise<Answer<E>>,
    renew,
    endSession,
    signOut,
  };
  return client;
}

/** The cookie name is Django's convention, which our server follows. */
function csrfToken(cookies: string): string | null {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(cookies)?.[1] ?? null;
}

async function readAnswer(response: Response): Promise<unknown> {
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const file = /filename="(.+)"/.exec(response.headers.get('content-disposition') ?? '');
  if (file?.[1] && !isJson && response.ok) return new File([await response.blob()], file[1]);
  const text = await response.text();
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : null;
  if (response.ok) return body;
  throw new ApiError({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body,
  });
}

/**
 * 120 random bits as text. Its length is always the same, so it does not change that of a request.
 * `crypto.randomUUID` exists only on https and localhost.
 */
export const randomId = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(15)))).replace(/\W/g, '-');
