import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { VerificationSteps as Steps } from '#contract/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { LoadFailure } from '#web/features/accounts/profile-section.tsx';
import { NextStep } from '#web/features/accounts/verification/next-step.tsx';
import { ProofStep } from '#web/features/accounts/verification/proof-step.tsx';
import { RegistryStep } from '#web/features/accounts/verification/registry-step.tsx';
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

/** What stands between the user and a review (docs/product/accounts.md, "Verification page"). */
export default function VerificationRequired({ loaderData: { steps } }: Route.ComponentProps) {
  const { user, doctor, isLoading } = useSession();
  if (isLoading) return <HydrateFallback />;
  return (
    <>
      <VerificationSummary user={user} doctor={doctor} />
      {user && doctor && <VerificationSteps user={user} doctor={doctor} steps={steps} />}
    </>
  );
}

/**
 * Until the account is known: what a signed-out visitor sees. The server renders this too, since the
 * page is the same for everyone.
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

interface VerificationStepsProps {
  user: User;
  doctor: Doctor;
  /** Null if they could not be loaded. */
  steps: Steps | null;
}

/** The steps to a verified account. A proof is one only if it is required, or was given. */
function VerificationSteps({ user, doctor, steps }: VerificationStepsProps) {
  const { status, proofs } = doctor.verification;
  const isRequired = steps?.mode === 'proof' || status === 'needs_proof';
  const showsProof = isRequired || proofs.length > 0 || (steps !== null && steps.prove_by !== null);
  return (
    <div className="page-width mt-12 md:mt-16">
      <RegistryStep user={user} doctor={doctor} />
      {steps === null ? (
        <div className="flex flex-col gap-5 border-t border-rule py-8">
          <LoadFailure>{FAILURES.verificationLoad}</LoadFailure>
        </div>
      ) : (
        <>
          {showsProof && <ProofStep number={2} doctor={doctor} steps={steps} />}
          <NextStep number={showsProof ? 3 : 2} doctor={doctor} steps={steps} />
        </>
      )}
    </div>
  );
}
