import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { session, useSession } from '#web/lib/session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import { AccountScreen } from './account-screen.tsx';
import { Facts } from './profile-section.tsx';
import { VerificationBadge } from './verification-badge.tsx';
import { VerificationChecks } from './verification-checks.tsx';

/** Explains what stands between the visitor and a review (specification, section 2). */
export function VerificationScreen() {
  const { user, doctor, isLoading } = useSession();
  const [isChecking, setChecking] = useState(false);
  const isPending = doctor !== null && !doctor.verified;
  useRegistryAnswer(isPending && doctor.verification.status === 'pending');
  if (isLoading) return <LoadingNotice />;

  async function checkAgain() {
    setChecking(true);
    await session.reload();
    setChecking(false);
  }

  return (
    <AccountScreen
      title="Verification Required"
      lede={
        isPending ? (
          <p>
            Your account is pending verification. You can post reviews once an administrator
            verifies your credentials.
          </p>
        ) : (
          <p>
            You need a verified doctor profile with an active license to write reviews on Curbside.
          </p>
        )
      }
    >
      <Facts
        facts={[
          { term: 'Username', value: user?.username ?? 'Not signed in' },
          { term: 'NPI Number', value: doctor?.npi ?? 'Not on file' },
          { term: 'Status', value: <VerificationBadge doctor={doctor} /> },
        ]}
      />
      {doctor && <VerificationChecks checks={doctor.verification.checks} />}
      <div className="flex flex-wrap gap-3">
        {doctor?.verified && doctor.can_post_reviews && (
          <Link to={paths.createReview()} className={buttonClass()}>
            Write a review
          </Link>
        )}
        <Link
          to={paths.profile()}
          className={buttonClass(doctor?.verified ? 'secondary' : 'primary')}
        >
          Go to my profile
        </Link>
        <Link to={paths.home()} className={buttonClass('secondary')}>
          Back to home
        </Link>
        {isPending && (
          <Button variant="quiet" busy={isChecking} onClick={checkAgain}>
            Check again
          </Button>
        )}
      </div>
    </AccountScreen>
  );
}

const LOOKS = 10;
const LOOK_EVERY_MS = 3000;

/** Looks a few times by itself: the registry mostly answers within seconds of signing up. */
function useRegistryAnswer(isAwaited: boolean) {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!isAwaited || looks === LOOKS) return;
    const timer = setTimeout(async () => {
      await session.reload();
      setLooks(looks + 1);
    }, LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, looks]);
}
