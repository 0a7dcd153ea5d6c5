import type { Tokens } from '#contract/accounts.ts';
import { type ApiPathInput, apiPath } from '#contract/api-path.ts';
import type { Answer, Argument, Endpoint, Input, Target } from '#contract/endpoint.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { API_TIMEOUT_MS, CLIENT_VERSION, CSRF_TIMEOUT_MS } from '#contract/limits.ts';
import { padded } from '#contract/padding.ts';
import { randomId } from './random-id.ts';
import { createRenewal, type RenewalOutcome } from './renewal.ts';
import { isUsable, type TokenStore } from './token-store.ts';
import { ApiError } from './transport-error.ts';

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

export interface ApiDeps {
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
      // If another tab has signed out in the meantime, do not sign in again.
      if (tokens.refresh() !== null) tokens.save(answer);
      return answer;
    });

  function endSession(): void {
    tokens.clear();
    onSessionEnd();
  }

  async function request(target: Target, options: Sent = {}, deliver = send): Promise<unknown> {
    // A 401 from a public endpoint says nothing about the session.
    if (target.access === 'public' || options.inBackground) return send(target, options);

    // A token that has expired is renewed before it causes a 401.
    const before = tokens.access();
    let renewal: RenewalOutcome | null = null;
    if (tokens.refresh() !== null && !isUsable(tokens, now())) renewal = await renew(before);

    const used = tokens.access();
    try {
      return await deliver(target, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (await client.onFailure?.(error)) return request(target, options, deliver);
      if (error.status !== 401) throw error;
      // Only once: a renewal that was just tried is not repeated.
      renewal ??= await renew(used);
      if (renewal === 'unreachable') throw new ApiError(null, error);
      if (renewal !== 'renewed') {
        endSession();
        throw error;
      }
      try {
        return await deliver(target, options);
      } catch (again) {
        if (again instanceof ApiError && again.status === 401) endSession();
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
