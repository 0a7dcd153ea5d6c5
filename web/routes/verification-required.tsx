import { lazy, Suspense } from 'react';
import type { User } from '#contract/accounts/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { VerificationBadge } from '#web/features/accounts/verification/account-status.tsx';
import { maskNpi } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { api, session, settledSession, useSession } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { LoadingNotice } from '#web/ui/loading.tsx';
import type { Route } from './+types/verification-required.ts';

interface VerificationSummaryProps {
  user: User | null;
  doctor: Doctor | null;
}

/** The state of the account (docs/product/accounts.md, "Verification page"). */
function VerificationSummary({ user, doctor }: VerificationSummaryProps) {
  const isPending = doctor !== null && !doctor.verified;
  return (
    <AccountScreen
      title={doctor?.verified ? 'You are verified' : 'Verification Required'}
      lede={
        isPending ? (
          <p key="pending">
            Your account is pending verification. You can post reviews once an administrator
            verifies your credentials.
          </p>
        ) : (
          <p key="other">
            You need a verified doctor profile with an active license to write reviews on Curbside.
            {doctor && <span> You have one.</span>}
          </p>
        )
      }
    >
      <Facts
        facts={[
          { term: 'Username', value: user?.username ?? 'Not signed in' },
          { term: 'NPI Number', value: doctor ? maskNpi(doctor.npi) : 'Not on file' },
          { term: 'Status', value: <VerificationBadge doctor={doctor} /> },
        ]}
      />
      {user === null && (
        <p className="text-ink-soft">
          Sign in to see what we checked for your account and what comes next.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {user === null && <SignInLink />}
        {doctor?.verified && doctor.can_post_reviews && (
          <Link to={paths.createReview()} className={buttonClass()}>
            Write a review
          </Link>
        )}
        <Link to={paths.profile()} className={buttonClass('secondary')}>
          Go to my profile
        </Link>
        <Link to={paths.home()} className={buttonClass('secondary')}>
          Back to home
        </Link>
      </div>
    </AccountScreen>
  );
}

/** Returns here after login. */
function SignInLink() {
  const redirect = asRedirect(paths.verificationRequired());
  return (
    <Link to={paths.login({ redirect })} className={buttonClass()}>
      Sign in
    </Link>
  );
}

export const meta = () =>
  pageMeta(
    'Verification Required',
    'Whether your NPI has been verified, and what happens until then.',
  );

/** Loaded on demand, because signed-out visitors do not need it. */
const VerificationSteps = lazy(async () => ({
  default: (await import('#web/features/accounts/verification/verification-steps.tsx'))
    .VerificationSteps,
}));

export async function clientLoader() {
  const { doctor } = await settledSession();
  if (doctor === null) return { steps: null };
  if (doctor.verification.status === 'pending') {
    // The registry may have answered in the meantime.
    const current = await orNull(api.call(sessionEndpoints.doctor));
    if (current) session.setDoctor(current);
  }
  return { steps: await orNull(api.call(verificationEndpoints.steps)) };
}

export const clientAction = verificationWrites.clientAction;

/** What the user needs before posting a review (docs/product/accounts.md, "Verification page"). */
export default function VerificationRequired({ loaderData: { steps } }: Route.ComponentProps) {
  const { user, doctor, isLoading } = useSession();
  if (isLoading) return <HydrateFallback />;
  return (
    <>
      <VerificationSummary user={user} doctor={doctor} />
      {user && doctor && (
        <Suspense fallback={<LoadingNotice />}>
          <VerificationSteps user={user} doctor={doctor} steps={steps} />
        </Suspense>
      )}
    </>
  );
}

/**
 * What a signed-out visitor sees, shown until the account is known. The server renders this, too,
 * because the page is the same for everyone.
 */
export function HydrateFallback() {
  return (
    <>
      <div className="signed-in:hidden">
        <VerificationSummary user={null} doctor={null} />
      </div>
      <div className="signed-out:hidden">
        <LoadingNotice />
      </div>
    </>
  );
}
