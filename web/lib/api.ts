import type { Tokens } from '#contract/accounts.ts';
import { API_TIMEOUT_MS, CLIENT_VERSION, CSRF_TIMEOUT_MS } from '#contract/limits.ts';
import { apiPaths } from './paths.ts';
import type { RenewalOutcome } from './renewal.ts';
import { createRenewal } from './renewal.ts';
import type { TokenStore } from './token-store.ts';
import { isUsable } from './token-store.ts';
import { ApiError } from './transport-error.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  body?: unknown;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

export interface ApiDeps {
  fetch: typeof fetch;
  tokens: TokenStore;
  now: () => number;
  /** `document.cookie`, read anew for each request. */
  cookies: () => string;
  locks: Pick<LockManager, 'request'> | undefined;
  /** The session could not be renewed: its tokens are gone by now. */
  onSessionEnd: () => void;
}

/** A 401 from these says nothing about the session. */
const SESSIONLESS = /^\/auth\/(login|register|logout|token|password\/reset)\//;

export type Api = ReturnType<typeof createApi>;

/** The client of `/api` (specification, section 7). Everything it throws is an ApiError. */
export function createApi({ fetch, tokens, now, cookies, locks, onSessionEnd }: ApiDeps) {
  let csrfReady: Promise<unknown> | null = null;

  async function send(method: Method, path: string, options: RequestOptions): Promise<unknown> {
    // A failure here is not fatal: the server then judges the request by its origin.
    csrfReady ??= fetch(`/api${apiPaths.csrf()}`, {
      credentials: 'include',
      signal: AbortSignal.timeout(CSRF_TIMEOUT_MS),
    }).catch(() => null);
    await csrfReady;

    const headers = new Headers({
      Accept: 'application/json',
      'X-Client-Version': CLIENT_VERSION,
      'X-Request-ID': crypto.randomUUID(),
    });
    const access = tokens.access();
    if (isUsable(access, now())) headers.set('Authorization', `Bearer ${access}`);
    const csrf = method === 'GET' ? null : csrfToken(cookies());
    if (csrf !== null) headers.set('X-CSRFToken', csrf);
    const init: RequestInit = { method, headers, credentials: 'include' };
    if (options.body !== undefined) {
      headers.set('Content-Type', 'application/json');
      init.body = JSON.stringify(options.body);
    }
    const timeout = AbortSignal.timeout(options.timeoutMs ?? API_TIMEOUT_MS);
    init.signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      return await readAnswer(await fetch(`/api${path}`, init));
    } catch (error) {
      // Whoever called it off knows why; all else that is no answer is the network.
      if (options.signal?.aborted) throw options.signal.reason;
      throw error instanceof ApiError ? error : new ApiError(null, error);
    }
  }

  const { renew, inTurn } = createRenewal({
    tokens,
    now,
    locks,
    exchange: (refresh) =>
      send('POST', apiPaths.refresh(), { body: { refresh } }) as Promise<{
        access: string;
        refresh?: string;
      }>,
  });

  /**
   * For requests that end every session and answer with a new one. No tab renews the old tokens
   * meanwhile: the refusal would sign out the new session, too.
   */
  const sendForTokens: typeof send = (method, path, options) =>
    inTurn(async () => {
      const answer = (await send(method, path, options)) as Tokens;
      // If another tab signed out meanwhile, the answer must not sign in again.
      if (tokens.refresh() !== null) tokens.save(answer);
      return answer;
    });

  function endSession(): void {
    tokens.clear();
    onSessionEnd();
  }

  async function request<T>(
    method: Method,
    path: string,
    options: RequestOptions = {},
    deliver = send,
  ): Promise<T> {
    if (SESSIONLESS.test(path)) return (await send(method, path, options)) as T;

    // A token known to have expired is renewed before it costs a 401.
    const before = tokens.access();
    let renewal: RenewalOutcome | null = null;
    if (tokens.refresh() !== null && !isUsable(before, now())) renewal = await renew(before);

    const used = tokens.access();
    try {
      return (await deliver(method, path, options)) as T;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      // Once only: a renewal that was just tried is not tried again.
      renewal ??= await renew(used);
      if (renewal === 'unreachable') throw new ApiError(null, error);
      if (renewal !== 'renewed') {
        endSession();
        throw error;
      }
      try {
        return (await deliver(method, path, options)) as T;
      } catch (again) {
        if (again instanceof ApiError && again.status === 401) endSession();
        throw again;
      }
    }
  }

  return {
    get: <T>(path: string, options?: Omit<RequestOptions, 'body'>) =>
      request<T>('GET', path, options),
    post: <T>(path: string, body: unknown, options?: RequestOptions) =>
      request<T>('POST', path, { ...options, body }),
    patch: <T>(path: string, body: unknown, options?: RequestOptions) =>
      request<T>('PATCH', path, { ...options, body }),
    delete: <T = null>(path: string, options?: RequestOptions) =>
      request<T>('DELETE', path, options),
    /** Ends every session, and goes on with the new one that the answer begins. */
    replaceSession: <T extends Tokens>(path: string, body: unknown) =>
      request<T>('POST', path, { body }, sendForTokens),
    renew,
    endSession,
  };
}

/** What Django's convention, and our server, call the token's cookie. */
function csrfToken(cookies: string): string | null {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(cookies)?.[1] ?? null;
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : null;
  if (response.ok) return body;
  throw new ApiError({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body,
  });
}
