import { createContext, data, type RouterContextProvider } from 'react-router';
import type { Answer, Argument, Endpoint, UrlInput } from '#contract/endpoint.ts';
import type { Problem } from '#contract/problem.ts';
import { type ApiPathInput, apiPath } from './paths.ts';

/** Asks the API within the server (`path` is a URL, `/api/…`): no network and no session. */
export type FetchApi = (path: string) => Promise<Response>;

/** Set once for each request by `provideApi` (web/entry.server.tsx). */
export const apiContext = createContext<FetchApi>();

type PublicEndpoint = Endpoint & { readonly method: 'GET'; readonly access: 'public' };

/** A `Response` whose body is known: the contract's answer, or a problem. */
export type ApiResponse<T> = Omit<Response, 'ok' | 'json'> &
  ({ ok: true; json: () => Promise<T> } | { ok: false; json: () => Promise<Problem> });

/** The answer as it is, for loaders that have something to do with more than a success. */
export const askApi = <E extends PublicEndpoint>(
  context: Readonly<RouterContextProvider>,
  endpoint: E,
  ...[input]: Argument<UrlInput<E>>
) =>
  context.get(apiContext)(`/api${apiPath(endpoint, input as ApiPathInput)}`) as Promise<
    ApiResponse<Answer<E>>
  >;

/** What was asked for, or the refusal, thrown. */
export async function readAnswer<T>(response: ApiResponse<T>): Promise<T> {
  if (response.ok) return response.json();
  // Of a 404 there is nothing to tell; other refusals say why (contract/problem.ts).
  throw data(response.status === 404 ? null : await response.json(), { status: response.status });
}
