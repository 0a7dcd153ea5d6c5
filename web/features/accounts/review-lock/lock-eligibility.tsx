import { Link } from 'react-router';
import type { Doctor } from '#contract/doctors.ts';
import type { ReviewLock } from '#contract/review-lock.ts';
import { paths } from '#web/lib/paths.ts';

/** Whether the account can lock its reviews: by a proof, or where a match with the registry is enough. */
export type LockEligibility = 'proven' | 'match-is-enough' | 'needs-proof';

export function lockEligibility(lock: ReviewLock, doctor: Doctor | null): LockEligibility {
  if (!lock.can_lock) return 'needs-proof';
  return doctor?.verification.proofs.length === 0 ? 'match-is-enough' : 'proven';
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
