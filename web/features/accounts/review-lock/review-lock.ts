import type { ReviewLock } from '#contract/accounts/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';

/** Null if it could not be loaded. */
export const loadReviewLock = () => orNull(api.call(accountEndpoints.reviewLock));

/**
 * Whether to offer the lock after a review is posted: it is the account's first one, and not
 * locked.
 */
export async function loadLockOffer(): Promise<boolean> {
  const [lock, reviews] = await Promise.all([
    loadReviewLock(),
    orNull(api.call(reviewEndpoints.listOwn)),
  ]);
  return lock?.locked === false && reviews?.length === 1;
}

/** Whether the account can lock its reviews: by a proof, or because a registry match is enough. */
export type LockEligibility = 'proven' | 'match-is-enough' | 'needs-proof';

export function lockEligibility(lock: ReviewLock, doctor: Doctor | null): LockEligibility {
  if (!lock.can_lock) return 'needs-proof';
  return doctor?.verification.proofs.length === 0 ? 'match-is-enough' : 'proven';
}
