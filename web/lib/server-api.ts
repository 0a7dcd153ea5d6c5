import { createContext, data, type RouterContextProvider } from 'react-router';

/** Asks the API within the server: no network, no session, and no other headers than its own. */
export type FetchApi = (path: string) => Promise<Response>;

/** Set once for each request by `provideApi` (web/entry.server.tsx). */
export const apiContext = createContext<FetchApi>();

/**
 * For loaders of public pages. `path` comes from `apiPaths`, and `T` from the contract: the API's
 * own tests hold its answers to the schema, so they are not parsed a second time here.
 */
export async function loadFromApi<T>(
  context: Readonly<RouterContextProvider>,
  path: string,
): Promise<T> {
  const response = await context.get(apiContext)(path);
  if (response.ok) return (await response.json()) as T;
  throw data(null, { status: response.status });
}
