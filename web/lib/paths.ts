import { type Query, withQuery } from '#contract/api-path.ts';

/** Every URL of the site is built here (web/lib/paths.test.ts shows changes). */

/** The parameters of the sign-in pages (docs/product/accounts.md, "Logging in"). */
export interface AfterSignIn {
  /** A path without its leading slash, for example `create-review`. */
  redirect?: string | null;
  employer?: string | number | null;
}

/** '?ids=1,2,3': the commas are not encoded, to be readable. */
const idList = (ids: readonly number[]) => (ids.length > 0 ? `?ids=${ids.join(',')}` : '');

/** The id of the section on the profile page. */
export const REVIEW_LOCK_ID = 'lock-my-reviews';

export const paths = {
  home: () => '/',
  login: (to: AfterSignIn & { expired?: true } = {}) => withQuery('/login', { ...to }),
  signup: (to: AfterSignIn = {}) => withQuery('/signup', { ...to }),
  /** The same screen as signup. */
  register: () => '/register',
  forgotPassword: () => '/forgot-password',
  passwordReset: () => '/password-reset',
  stopEmailChange: () => '/stop-email-change',
  employers: (query?: Query) => withQuery('/employers', query),
  employer: (id: number | string, query?: Query) =>
    withQuery(`/employers/${encodeURIComponent(id)}`, query),
  compare: (ids: readonly number[] = [], specialty?: string | null) =>
    withQuery(`/compare${idList(ids)}`, { specialty }),
  reviews: (query?: Query) => withQuery('/reviews', query),
  review: (id: string) => `/reviews/${encodeURIComponent(id)}`,
  verificationRequired: () => '/verification-required',
  /** The short URL in letters. Redirects to the page above. */
  letter: () => '/letter',
  howItWorks: () => '/how-it-works',
  legalDemands: () => '/how-it-works#legal-demands',
  guidelines: (section?: string) => (section ? `/guidelines#${section}` : '/guidelines'),
  transparency: () => '/transparency',
  terms: () => '/terms-of-use',
  privacy: () => '/privacy-policy',
  dashboard: (query?: { newReview?: true; updatedReview?: true }) => withQuery('/dashboard', query),
  myReviews: () => '/my-reviews',
  createReview: (query?: { employer?: number | string | undefined; employer_name?: string }) =>
    withQuery('/create-review', query),
  /** The same screen as create-review. */
  reviewsCreate: () => '/reviews/create',
  editReview: (id: string) => `/edit-review/${encodeURIComponent(id)}`,
  saved: () => '/saved',
  represent: (query?: { employer?: number; page?: number | null }) =>
    withQuery('/represent', query),
  profile: () => '/profile',
  reviewLock: () => `/profile#${REVIEW_LOCK_ID}`,
  office: (query?: Query) => withQuery('/admin', query),
  case: (id: string, query?: Query) => withQuery(`/admin/cases/${encodeURIComponent(id)}`, query),
  adminReview: (id: string) => `/admin/reviews/${encodeURIComponent(id)}`,
  adminEmployer: (id: number | string) => `/admin/employers/${encodeURIComponent(id)}`,
  adminDoctors: (query?: { npi: string }) => withQuery('/admin/doctors', query),
  adminReports: (query?: { show?: string | undefined; page?: number | null }) =>
    withQuery('/admin/reports', query),
  log: (query?: Query) => withQuery('/admin/log', query),
  admin: (page: 'staff' | 'security' | 'representatives', query?: Query) =>
    withQuery(`/admin/${page}`, query),
};

/** A path in the form of the `redirect` parameter: without the leading slash. */
export const asRedirect = (path: string) => path.replace(/^\/+/, '');

/** The page in the URL. Anything but a positive whole number means the first page. */
export function pageNumber(url: string): number {
  const page = Number(new URL(url).searchParams.get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 ? page : 1;
}
