import type { VerificationSteps as Steps } from '#contract/verification.ts';
import { useSession } from '#web/lib/session.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import { VerificationSteps } from './verification-steps.tsx';
import { VerificationSummary } from './verification-summary.tsx';

/** What stands between the visitor and a review (docs/product/accounts.md, "Verification page"). */
export function VerificationScreen({ steps }: { steps: Steps | null }) {
  const { user, doctor, isLoading } = useSession();
  if (isLoading) return <UnknownVisitor />;
  return (
    <>
      <VerificationSummary user={user} doctor={doctor} />
      {user && doctor && <VerificationSteps user={user} doctor={doctor} steps={steps} />}
    </>
  );
}

/** Until the account is known: what a signed-out visitor sees, also without the script. */
export function UnknownVisitor() {
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
