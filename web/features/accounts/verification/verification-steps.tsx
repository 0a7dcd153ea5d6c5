import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationSteps as Steps } from '#contract/verification.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { LoadFailure } from '#web/features/accounts/profile-section.tsx';
import { Asked } from './asked.tsx';
import { NextStep } from './next-step.tsx';
import { ProofStep } from './proof-step.tsx';
import { RegistryStep } from './registry-step.tsx';

interface VerificationStepsProps {
  user: User;
  doctor: Doctor;
  /** Null if they could not be loaded. */
  steps: Steps | null;
}

/** The steps to a verified account. The proof is a step only if it is required or was given. */
export function VerificationSteps({ user, doctor, steps }: VerificationStepsProps) {
  const { status, proofs } = doctor.verification;
  const isRequired = steps?.mode === 'proof' || status === 'needs_proof';
  const showsProof = isRequired || proofs.length > 0;
  return (
    <div className="page-width mt-12 md:mt-16">
      <Asked request={steps?.asked} className="mb-8" />
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
