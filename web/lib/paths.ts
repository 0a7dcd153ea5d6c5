import type { QueryValue, Target } from '#contract/endpoint.ts';

/** Every URL of the site and of its API is built here (web/lib/paths.test.ts shows changes). */

export type Query = Readonly<Record<string, QueryValue>>;

/** Appends a query string; what is empty, null or undefined is left out. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** What the sign-in screens carry along (docs/product/accounts.md, "Logging in"). */
export interface AfterSignIn {
  /** A path without its leading slash, for example `create-review`. */
  redirect?: string | null;
  employer?: string | number | null;
}

/** '?ids=1,2,3': a list reads better with its commas as they are. */
const idList = (ids: readonly number[]) => (ids.length > 0 ? `?ids=${ids.join(',')}` : '');

const signInQuery = ({ redirect, employer }: AfterSignIn): Query => ({ redirect, employer });

/** The id of that section on the landing page. */
export const HOW_IT_WORKS_ID = 'how-it-works';

/** The id of that section on the profile. */
export const REVIEW_LOCK_ID = 'lock-my-reviews';

export const paths = {
  home: () => '/',
  howItWorks: () => `/#${HOW_IT_WORKS_ID}`,
  login: (to: AfterSignIn & { expired?: true } = {}) =>
    withQuery('/login', { ...signInQuery(to), expired: to.expired }),
  signup: (to: AfterSignIn = {}) => withQuery('/signup', signInQuery(to)),
  /** The same screen as signup. */
  register: () => '/register',
  forgotPassword: () => '/forgot-password',
  passwordReset: () => '/password-reset',
  stopEmailChange: () => '/stop-email-change',
  employers: (query?: Query) => withQuery('/employers', query),
  employer: (id: number | string, query?: Query) =>
    withQuery(`/employers/${encodeURIComponent(id)}`, query),
  compare: (ids: readonly number[] = []) => `/compare${idList(ids)}`,
  reviews: (query?: Query) => withQuery('/reviews', query),
  review: (id: string) => `/reviews/${encodeURIComponent(id)}`,
  verificationRequired: () => '/verification-required',
  /** The short address in letters; leads to the screen above. */
  letter: () => '/letter',
  terms: () => '/terms-of-use',
  privacy: () => '/privacy-policy',
  dashboard: (query?: { newReview?: true; updatedReview?: true }) => withQuery('/dashboard', query),
  myReviews: () => '/my-reviews',
  createReview: (query?: { employer?: number | string }) => withQuery('/create-review', query),
  /** The same screen as create-review. */
  reviewsCreate: () => '/reviews/create',
  editReview: (id: string) => `/edit-review/${encodeURIComponent(id)}`,
  profile: () => '/profile',
  /** The section of the profile that locks reviews. */
  reviewLock: () => `/profile#${REVIEW_LOCK_ID}`,
  adminReports: (query?: { show?: 'removed' | undefined; page?: number | null }) =>
    withQuery('/admin/reports', query),
};

/** A path as the `redirect` parameter carries it: without the leading slash. */
export const asRedirect = (path: string) => path.replace(/^\/+/, '');

export interface ApiPathInput {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
}

/** The path of an endpoint (contract/endpoints) under `/api`. */
export const apiPath = (
  { path }: Pick<Target, 'path'>,
  { params = {}, query }: ApiPathInput = {},
) =>
  withQuery(
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    query,
  );
