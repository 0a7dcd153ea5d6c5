import type { ProofKind, VerificationMode } from '#contract/verification.ts';

/** All that decides whether a doctor is verified. */
export interface Standing {
  readonly mode: VerificationMode;
  /** The registry knows the NPI as an active physician's of that name. */
  readonly matches: boolean;
  /** The NPI is a trainee's. */
  readonly inTraining: boolean;
  readonly proofs: readonly ProofKind[];
  /** One of the mailboxes was a residency's. */
  readonly isResident: boolean;
  /** An administrator took verification back, and has not given it again. */
  readonly isRefused: boolean;
  /** What an earlier account with this NPI has left. */
  readonly tombstone: 'banned' | 'left_reviews' | null;
  /** Another account that is verified under this NPI, by what; or one that proved it before. */
  readonly holder: 'match' | 'proof' | null;
}

export type Outcome =
  /** Verified; from another who was only matched, if there is one. */
  | { readonly status: 'passed'; readonly mayPost: boolean }
  | { readonly status: 'needs_proof' | 'needs_review' };

const NEEDS_REVIEW: Outcome = { status: 'needs_review' };
const NEEDS_PROOF: Outcome = { status: 'needs_proof' };

/**
 * What a doctor's evidence comes to (docs/verification.md). An administrator's judgment outweighs
 * all but a ban; a proof outweighs a match; of two proofs, the first stays.
 */
export function outcomeOf(standing: Standing): Outcome {
  const { mode, matches, inTraining, proofs, isResident, isRefused, tombstone, holder } = standing;
  const isBanned = tombstone === 'banned';
  const passed: Outcome = { status: 'passed', mayPost: tombstone === null };
  if (proofs.includes('administrator')) return isBanned ? NEEDS_REVIEW : passed;
  if (!matches || isRefused || mode === 'manual') return NEEDS_REVIEW;
  if (proofs.length === 0) {
    // Whoever has proven nothing is told of no ban and no other account.
    return mode === 'registry' && !isBanned && holder === null ? passed : NEEDS_PROOF;
  }
  if (isBanned || holder === 'proof') return NEEDS_REVIEW;
  if (mode === 'proof' && inTraining && !isResident) return NEEDS_REVIEW;
  return passed;
}
