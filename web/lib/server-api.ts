import { createContext, data, type RouterContextProvider } from 'react-router';
import type { Problem } from '#contract/problem.ts';

/** Asks the API within the server (`path` is a URL, `/api/…`): no network and no session. */
export type FetchApi = (path: string) => Promise<Response>;

/** Set once for each request by `provideApi` (web/entry.server.tsx). */
export const apiContext = createContext<FetchApi>();

/** The answer as it is, for loaders that have something to do with more than a success. */
export const askApi = (context: Readonly<RouterContextProvider>, path: string): Promise<Response> =>
  context.get(apiContext)(`/api${path}`);

/**
 * For loaders of public pages. `path` comes from `apiPaths`, and `T` from the contract: the API's
 * own tests hold its answers to the schema, so they are not parsed a second time here.
 */
export async function loadFromApi<T>(
  context: Readonly<RouterContextProvider>,
  path: string,
): Promise<T> {
  return readAnswer<T>(await askApi(context, path));
}

/** What was asked for, or the refusal, thrown. */
export async function readAnswer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  // Of a 404 there is nothing to tell; other refusals say why (contract/problem.ts).
  throw data(response.status === 404 ? null : ((await response.json()) as Problem), {
    status: response.status,
  });
}
