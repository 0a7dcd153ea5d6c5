import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { maskNpi } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { VerificationBadge } from './account-status.tsx';

interface VerificationSummaryProps {
  user: User | null;
  doctor: Doctor | null;
}

/** The state of the account (docs/product/accounts.md, "Verification page"). */
export function VerificationSummary({ user, doctor }: VerificationSummaryProps) {
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
