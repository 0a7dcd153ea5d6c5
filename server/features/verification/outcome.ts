import type { ProofKind, VerificationMode } from '#contract/verification.ts';

/** Everything that decides whether a doctor is verified. */
export interface Standing {
  readonly mode: VerificationMode;
  /** The registry lists the NPI as an active physician with this name. */
  readonly matches: boolean;
  /** The NPI belongs to a trainee. */
  readonly inTraining: boolean;
  /** The proofs that count by themselves. */
  readonly proofs: readonly ProofKind[];
  /** There is also a mailbox that came after its domain's quota. */
  readonly isOverQuota: boolean;
  /** One of the mailboxes belongs to a residency. */
  readonly isResident: boolean;
  /** An administrator has revoked verification. */
  readonly isRefused: boolean;
  /** Left by an earlier account with this NPI. */
  readonly tombstone: 'banned' | 'left_reviews' | null;
  /** How another account holds the NPI. */
  readonly holder: 'match' | 'proof' | null;
}

export type Outcome =
  /** Verified. Takes the NPI from an account that was only matched. */
  | { readonly status: 'passed'; readonly mayPost: boolean }
  | { readonly status: 'needs_proof' | 'needs_review' };

const NEEDS_REVIEW: Outcome = { status: 'needs_review' };
const NEEDS_PROOF: Outcome = { status: 'needs_proof' };

/**
 * Evaluates a doctor's evidence (docs/verification.md). An administrator's decision overrides
 * everything except a ban; a proof overrides a match; of two proofs, the first wins.
 */
export function outcomeOf(standing: Standing): Outcome {
  const { mode, matches, inTraining, proofs, isResident, isRefused, tombstone, holder } = standing;
  const isBanned = tombstone === 'banned';
  const passed: Outcome = { status: 'passed', mayPost: tombstone === null };
  if (proofs.includes('administrator')) return isBanned ? NEEDS_REVIEW : passed;
  if (!matches || isRefused || mode === 'manual') return NEEDS_REVIEW;
  if (proofs.length === 0) {
    // Without a proof, nobody learns about a ban or another account.
    if (mode === 'registry' && !isBanned && holder === null) return passed;
    return standing.isOverQuota ? NEEDS_REVIEW : NEEDS_PROOF;
  }
  if (isBanned || holder === 'proof') return NEEDS_REVIEW;
  if (mode === 'proof' && inTraining && !isResident) return NEEDS_REVIEW;
  return passed;
}
