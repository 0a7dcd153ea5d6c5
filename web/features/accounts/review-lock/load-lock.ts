import { accountEndpoints } from '#contract/endpoints/account.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewLock } from '#contract/review-lock.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

/** Null if it could not be loaded. */
export async function loadReviewLock(): Promise<ReviewLock | null> {
  try {
    return await api.call(accountEndpoints.reviewLock);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/** After sending a review: whether it is the account's first, and not locked. */
export async function loadLockOffer(): Promise<boolean> {
  const [lock, reviews] = await Promise.all([loadReviewLock(), loadReviews()]);
  return lock?.locked === false && reviews?.length === 1;
}

async function loadReviews(): Promise<OwnReview[] | null> {
  try {
    return await api.call(reviewEndpoints.listOwn);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
