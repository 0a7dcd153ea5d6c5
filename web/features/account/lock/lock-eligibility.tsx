import { Link } from 'react-router';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { paths } from '#web/lib/paths.ts';

/** Whether the account can lock its reviews: with a proof, or where a match with the registry is enough. */
export type LockEligibility = 'proven' | 'match-is-enough' | 'needs-proof';

/** Without the steps to verification, the server decides, and says so. */
export function lockEligibility(
  doctor: Doctor | null,
  steps: VerificationSteps | null,
): LockEligibility {
  if (steps?.mode === 'registry') return 'match-is-enough';
  const lacksProof = doctor?.verification.proofs.length === 0;
  return steps !== null && lacksProof ? 'needs-proof' : 'proven';
}

/** Nobody could find the reviews of an impostor who has locked them. */
export function LockEligibilityNote({ eligibility }: { eligibility: LockEligibility }) {
  if (eligibility === 'proven') return null;
  if (eligibility === 'match-is-enough') {
    return (
      <p className="text-sm text-ink-soft">
        On this site, an account that matches the NPI registry can lock its reviews. Elsewhere, it
        takes a proof that the NPI is yours.
      </p>
    );
  }
  return (
    <p className="text-ink-soft">
      To lock your reviews, first prove that the NPI is yours: otherwise, nobody could find the
      reviews of an impostor.{' '}
      <Link to={paths.verificationRequired()} className="prose-link whitespace-nowrap">
        Give a proof
      </Link>
    </p>
  );
}
