import { createContext, type ReactNode, use } from 'react';
import { createContext as createLoadContext, data, type RouterContextProvider } from 'react-router';
import { type ApiPathInput, apiPath } from '#contract/api-path.ts';
import type { MergedEmployer } from '#contract/employers/employers.ts';
import type { Answer, Argument, Endpoint, UrlInput } from '#contract/endpoint.ts';
import type { Problem } from '#contract/problem.ts';
import type { VerificationMode } from '#contract/verification/verification.ts';

/*
 * What the renderer passes to pages: values, and the API for loaders. Each value exists twice: for
 * loaders on the server (`load...`) and for components.
 */

/**
 * Marks the scripts that the renderer itself writes. The server sets a new one for each rendering,
 * and removes it from the finished page (server/pages/pages.ts).
 */
export const loadNonce = createLoadContext<string>();

/** Undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

/** What only the server adds to the head of a page (web/features/site/discovery). */
export const PageHeadContext = createContext<ReactNode>(null);

/** What makes a doctor verified on this site. */
export const loadVerificationMode = createLoadContext<VerificationMode>();

/** The page carries it to the browser as an attribute of `<html>`. */
export const VerificationModeContext = createContext<VerificationMode | null>(null);

export function useVerificationMode(): VerificationMode {
  const mode = use(VerificationModeContext);
  if (!mode) throw new Error('rendered outside of VerificationModeContext');
  return mode;
}

/** Calls the API (`/api/…`) inside the server process, without network or session. */
export type FetchApi = (path: string) => Promise<Pick<Response, 'status' | 'ok' | 'json'>>;

/** Set for each request by `provide` (web/entry.server.tsx). */
export const apiContext = createLoadContext<FetchApi>();

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
