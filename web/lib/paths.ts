import type { Vote } from '#contract/review-feedback.ts';

/** Every URL of the site and of its API is built here (web/lib/paths.test.ts shows changes). */

type QueryValue = string | number | boolean | null | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** Appends a query string; what is empty, null or undefined is left out. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** What the sign-in screens carry along (specification, section 2, "Login"). */
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

/** Under `/api`, with the trailing slashes of the specification, section 7. */
export const apiPaths = {
  csrf: () => '/csrf/',
  login: () => '/auth/login/',
  register: () => '/auth/register/',
  logout: () => '/auth/logout/',
  refresh: () => '/auth/token/refresh/',
  user: () => '/auth/user/',
  doctor: () => '/doctors/me/',
  passwordReset: () => '/auth/password/reset/',
  passwordResetValidate: (query: { token: string; uidb64: string }) =>
    withQuery('/auth/password/reset/validate/', query),
  passwordResetConfirm: () => '/auth/password/reset/confirm/',
  passwordChange: () => '/auth/password/change/',
  verification: () => '/verification/',
  verificationCheck: () => '/verification/check/',
  verificationLetter: () => '/verification/letter/',
  verificationLetterConfirm: () => '/verification/letter/confirm/',
  verificationMailbox: () => '/verification/mailbox/',
  verificationMailboxConfirm: () => '/verification/mailbox/confirm/',
  reviewLock: () => '/auth/reviews/lock/',
  reviewUnlock: () => '/auth/reviews/unlock/',
  emailConfirm: () => '/auth/email/confirm/',
  emailStop: () => '/auth/email/stop/',
  accountExport: () => '/auth/export/',
  accountDeletion: () => '/auth/delete-account/',
  reviews: (query?: Query) => withQuery('/reviews/', query),
  review: (id: string) => `/reviews/${encodeURIComponent(id)}/`,
  publishReview: (id: string) => `/reviews/${encodeURIComponent(id)}/publish/`,
  ownReviews: () => '/reviews/my_reviews/',
  reviewVote: (id: string, vote: Vote) =>
    `/reviews/${encodeURIComponent(id)}/${vote.replace('_', '-')}/`,
  reviewReport: (id: string) => `/reviews/${encodeURIComponent(id)}/report/`,
  reviewVotes: (ids: readonly string[]) => withQuery('/reviews/votes/', { ids: ids.join(',') }),
  reviewFilterOptions: () => '/reviews/filter_options/',
  employers: (query?: Query) => withQuery('/employers/', query),
  employer: (id: number | string) => `/employers/${encodeURIComponent(id)}/`,
  employerReviews: (id: number | string, query?: Query) =>
    withQuery(`/employers/${encodeURIComponent(id)}/reviews/`, query),
  employerInsights: (id: number | string) => `/employers/${encodeURIComponent(id)}/insights/`,
  employerComparison: (ids: string) => withQuery('/employers/compare/', { ids }),
  employerFilterOptions: () => '/employers/filter_options/',
  employerMailDomain: (domain: string) => withQuery('/employers/mail_domain/', { domain }),
  customEmployer: () => '/employers/custom/',
  positionTitles: (query?: Query) => withQuery('/position-titles/', query),
  adminReports: (query?: Query) => withQuery('/admin/reports/', query),
  adminReview: (id: string, decision: 'remove' | 'restore' | 'keep') =>
    `/admin/reviews/${encodeURIComponent(id)}/${decision}/`,
  userById: (id: string) => `/users/${encodeURIComponent(id)}/`,
};
