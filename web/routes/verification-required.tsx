import { lazy, Suspense } from 'react';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { VerificationSummary } from '#web/features/accounts/verification/verification-summary.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api, session, settledSession, useSession } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/verification-required.ts';

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
