import { data, redirect } from 'react-router';
import type { User } from '#contract/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { asRedirect, paths } from './paths.ts';
import { notePostingRefusal } from './posting-refusal.ts';
import { api, session, settledSession } from './session.ts';
import type { Session } from './session-store.ts';

/** A session that is somebody's. */
export type SignedIn = Session & { user: User };

/*
 * The guards (docs/product.md, "Page guards") for a `clientLoader`: the spinner shows while it
 * waits (HydrateFallback), and it throws the redirect to wherever the visitor must go first.
 */

/** Signed in, whoever it is; else to the login, which leads back here. */
export async function requireUser(request: Request): Promise<SignedIn> {
  let current = await settledSession();
  if (current.user === null && session.hasToken()) current = await loadAgain();
  const { user } = current;
  if (user === null) throw redirect(loginFor(request));
  return { ...current, user };
}

/** A verified doctor; permission to post is not asked for. */
export async function requireVerified(request: Request): Promise<SignedIn> {
  return requirePermission(request, 'isVerifiedDoctor', paths.verificationRequired());
}

/** A verified doctor who may post. */
export async function requirePoster(request: Request): Promise<SignedIn> {
  await requireVerified(request);
  return requirePermission(request, 'canPostReviews', paths.profile(), notePostingRefusal);
}

/** An administrator; to anyone else the page does not exist. */
export async function requireAdmin(request: Request): Promise<SignedIn> {
  const known = await requireUser(request);
  if (!known.user.is_admin) throw data(null, { status: 404 });
  return known;
}

async function requirePermission(
  request: Request,
  permission: 'isVerifiedDoctor' | 'canPostReviews',
  elsewhere: string,
  onRefusal?: () => void,
): Promise<SignedIn> {
  const known = await requireUser(request);
  if (known[permission]) return known;
  // It may have been granted since the account was loaded.
  await session.reload();
  const current = await requireUser(request);
  if (!current[permission]) {
    onRefusal?.();
    throw redirect(elsewhere);
  }
  return current;
}

/** Nobody was refused: the account could not be loaded. Throws the ApiError if it still cannot. */
async function loadAgain(): Promise<Session> {
  await api.call(sessionEndpoints.user);
  await session.reload();
  return settledSession();
}

/** The employer goes beside the review form's path (docs/product.md, "Page guards"). */
function loginFor({ url }: Request): string {
  const { pathname, search, searchParams } = new URL(url);
  if (pathname !== paths.createReview()) {
    return paths.login({ redirect: asRedirect(pathname + search) });
  }
  return paths.login({ redirect: asRedirect(pathname), employer: searchParams.get('employer') });
}
