import { profileWrites } from '#web/features/accounts/account-writes.ts';
import { DataSection } from '#web/features/accounts/data-section.tsx';
import { FAILURES } from '#web/features/accounts/failures.ts';
import {
  ProfessionalInformation,
  ProfileInformation,
} from '#web/features/accounts/profile-information.tsx';
import { LockSection } from '#web/features/accounts/review-lock/lock-section.tsx';
import { loadReviewLock } from '#web/features/accounts/review-lock/review-lock.ts';
import { SecuritySection } from '#web/features/accounts/security-section.tsx';
import { isReadOnly, PostingStatus } from '#web/features/accounts/verification/account-status.tsx';
import { requireUser, takePostingRefusal } from '#web/lib/guards.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { session, useSession } from '#web/lib/session.ts';
import { LoadFailedScreen } from '#web/shell/error-screens.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/profile.ts';

const TITLE = 'My Account';

export const meta = () => pageMeta(TITLE);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { doctor } = await requireUser(request);
  // The registry may have answered in the meantime.
  if (doctor?.verification.status === 'pending') await session.reload();
  return { lock: await loadReviewLock(), wasRefused: takePostingRefusal() };
}

export const clientAction = profileWrites.clientAction;

export default function Profile({ loaderData: { lock, wasRefused } }: Route.ComponentProps) {
  const { user, doctor } = useSession();
  if (user === null) return <LoadingNotice />;
  return (
    <div className="page-width">
      <PageHeading title={TITLE} subtitle="Manage your profile and review settings" />
      {wasRefused && doctor && isReadOnly(doctor) && (
        <Banner tone="info" className="mt-2">
          <PostingStatus doctor={doctor} />
        </Banner>
      )}
      <div className="mt-6">
        <ProfileInformation user={user} doctor={doctor} />
        {!user.is_representative && <ProfessionalInformation doctor={doctor} />}
        <SecuritySection user={user} />
        {!user.is_representative && <LockSection user={user} doctor={doctor} lock={lock} />}
        <DataSection user={user} />
      </div>
    </div>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <LoadFailedScreen title={FAILURES.profileLoad} error={error} />
);
