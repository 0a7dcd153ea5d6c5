import { redirect } from 'react-router';
import type { User } from '#contract/accounts.ts';
import { asRedirect, paths } from './paths.ts';
import { settledSession } from './session.ts';
import type { Session } from './session-store.ts';

/** A session that is somebody's. */
export type SignedIn = Session & { user: User };

/*
 * The route guard of the specification, section 4, for a `clientLoader`: the spinner shows while it
 * waits (HydrateFallback), and it throws the redirect to wherever the visitor must go first.
 */

/** Signed in, whoever it is; else to the login, which leads back here. */
export async function requireUser(request: Request): Promise<SignedIn> {
  const session = await settledSession();
  const { user } = session;
  if (user === null) throw redirect(loginFor(request));
  return { ...session, user };
}

/** A verified doctor; permission to post is not asked for. */
export async function requireVerified(request: Request): Promise<SignedIn> {
  const session = await requireUser(request);
  if (!session.isVerifiedDoctor) throw redirect(paths.verificationRequired());
  return session;
}

/** A verified doctor who may post. */
export async function requirePoster(request: Request): Promise<SignedIn> {
  const session = await requireVerified(request);
  if (!session.canPostReviews) throw redirect(paths.profile());
  return session;
}

/** The employer goes beside the review form's path (specification, section 2, "Login"). */
function loginFor({ url }: Request): string {
  const { pathname, search, searchParams } = new URL(url);
  if (pathname !== paths.createReview()) {
    return paths.login({ redirect: asRedirect(pathname + search) });
  }
  return paths.login({ redirect: asRedirect(pathname), employer: searchParams.get('employer') });
}
