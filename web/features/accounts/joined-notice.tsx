import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { api, joined, session, useSession } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';

const POLLS = 15;
const POLL_EVERY_MS = 2000;

const SIGNUP_PATHS = [paths.signup(), paths.register()];

/** On the first page after the sign-up: that it worked, and whether the account is verified. */
export function JoinedNotice() {
  const { pathname } = useLocation();
  const { doctor } = useSession();
  const first = useRef<string>(null);
  const isSigningUp = SIGNUP_PATHS.includes(pathname);
  const isPending = doctor?.verification.status === 'pending';
  const showsChecks = pathname === paths.verificationRequired();

  useEffect(() => {
    if (isSigningUp) return;
    first.current ??= pathname;
    if (first.current !== pathname) joined.set(false);
  }, [pathname, isSigningUp]);

  // The registry usually answers within seconds. The page with the checks asks on its own.
  useEffect(() => {
    if (!isPending || showsChecks) return;
    let polls = 0;
    const timer = setInterval(async () => {
      polls += 1;
      if (polls === POLLS) clearInterval(timer);
      const current = await orNull(api.call(sessionEndpoints.doctor));
      if (current) session.setDoctor(current);
    }, POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, [isPending, showsChecks]);

  if (isSigningUp || !doctor) return null;
  return (
    <div className="page-width pt-6">
      <Banner tone={doctor.verified ? 'success' : 'info'}>
        <p className="font-semibold">
          {doctor.verified
            ? 'Your email is confirmed, and you are verified.'
            : isPending
              ? 'Your email is confirmed, and we are checking your NPI now.'
              : 'Your email is confirmed, and you are not verified yet.'}
        </p>
        <p>
          <span>
            {doctor.can_post_reviews
              ? 'You can write reviews from now on.'
              : 'You can read and save everything. To write reviews, you need to be verified.'}
          </span>{' '}
          {!doctor.verified && !showsChecks && (
            <Link to={paths.verificationRequired()} className="prose-link">
              See the checks
            </Link>
          )}
        </p>
      </Banner>
    </div>
  );
}
