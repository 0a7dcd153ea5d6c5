import { createContext, data, type RouterContextProvider } from 'react-router';
import { type ApiPathInput, apiPath } from '#contract/api-path.ts';
import type { MergedEmployer } from '#contract/employers/employers.ts';
import type { Answer, Argument, Endpoint, UrlInput } from '#contract/endpoint.ts';
import type { Problem } from '#contract/problem.ts';

/** Calls the API (`/api/…`) inside the server process, without network or session. */
export type FetchApi = (path: string) => Promise<Pick<Response, 'status' | 'ok' | 'json'>>;

/** Set for each request by `provide` (web/entry.server.tsx). */
export const apiContext = createContext<FetchApi>();

type PublicEndpoint = Endpoint & { readonly method: 'GET'; readonly access: 'public' };

/** A response with a typed body: the contract's answer, or a problem. */
export type ApiResponse<T> = Pick<Response, 'status'> &
  ({ ok: true; json: () => Promise<T> } | { ok: false; json: () => Promise<Problem> });

/** The response, for loaders that also handle errors. */
export const askApi = <E extends PublicEndpoint>(
  context: Readonly<RouterContextProvider>,
  endpoint: E,
  ...[input]: Argument<UrlInput<E>>
) =>
  context.get(apiContext)(`/api${apiPath(endpoint, input as ApiPathInput)}`) as Promise<
    ApiResponse<Answer<E>>
  >;

/** The body of a successful response. Throws any other response. */
export async function readAnswer<T>(response: ApiResponse<T>): Promise<T> {
  if (response.ok) return response.json();
  // A 404 needs no explanation. Other errors have one (contract/problem.ts).
  throw data(response.status === 404 ? null : await response.json(), { status: response.status });
}

/** The id of the employer that remains, from a response with status 301. */
export const mergedInto = async (response: Pick<ApiResponse<unknown>, 'json'>) =>
  ((await response.json()) as MergedEmployer).merged_into;
