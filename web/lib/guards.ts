import { redirect } from 'react-router';
import type { User } from '#contract/accounts/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { asRedirect, paths } from './paths.ts';
import { api, session, settledSession } from './session.ts';
import type { Session } from './session-store.ts';

/** The session of a signed-in user. */
export type SignedIn = Session & { user: User };

/*
 * The guards (docs/product.md, "Page guards") for a `clientLoader`. They throw the redirect to where
 * the visitor must go first. While they run, HydrateFallback shows the spinner.
 */

type Permission = 'isVerifiedDoctor' | 'canPostReviews';

/**
 * Any signed-in user. Others are sent to the login page, which returns here. A user without the
 * `permission` is loaded again, because it may have been granted since.
 */
export async function requireUser(request: Request, permission?: Permission): Promise<SignedIn> {
  const known = await requireSession(request);
  if (permission === undefined || known[permission]) return known;
  await session.reload();
  return requireSession(request);
}

async function requireSession(request: Request): Promise<SignedIn> {
  let current = await settledSession();
  if (current.user === null && session.owner() !== null) current = await loadAgain();
  const { user } = current;
  if (user === null) throw redirect(loginFor(request));
  return { ...current, user };
}

/** A verified doctor, with or without permission to post. */
export async function requireVerified(request: Request): Promise<SignedIn> {
  return requirePermission(request, 'isVerifiedDoctor', paths.verificationRequired());
}

/** A verified doctor with permission to post. */
export async function requirePoster(request: Request): Promise<SignedIn> {
  await requireVerified(request);
  return requirePermission(request, 'canPostReviews', paths.profile(), () => {
    wasPostingRefused = true;
  });
}

/**
 * Set when `requirePoster` sends a read-only account to the profile, which then explains why, once.
 * It is a variable, because the URL must stay `/profile` and a redirect from a loader carries no
 * state.
 */
let wasPostingRefused = false;

/** Whether `requirePoster` has just redirected here. */
export function takePostingRefusal(): boolean {
  const wasRefused = wasPostingRefused;
  wasPostingRefused = false;
  return wasRefused;
}

async function requirePermission(
  request: Request,
  permission: Permission,
  elsewhere: string,
  onRefusal?: () => void,
): Promise<SignedIn> {
  const current = await requireUser(request, permission);
  if (!current[permission]) {
    onRefusal?.();
    throw redirect(elsewhere);
  }
  return current;
}

/** After a network error. Throws the ApiError if the account still cannot be loaded. */
async function loadAgain(): Promise<Session> {
  await api.call(sessionEndpoints.user);
  await session.reload();
  return settledSession();
}

/**
 * The id of the review form's employer is a separate parameter (docs/product.md, "Page guards").
 */
function loginFor({ url }: Request): string {
  const { pathname, search, searchParams } = new URL(url);
  if (pathname !== paths.createReview() || searchParams.has('employer_name')) {
    return paths.login({ redirect: asRedirect(pathname + search) });
  }
  return paths.login({ redirect: asRedirect(pathname), employer: searchParams.get('employer') });
}
