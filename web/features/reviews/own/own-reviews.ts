import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

export type OwnReviewsAnswer = { reviews: OwnReview[] } | { failure: OwnReviewsFailure };

export interface OwnReviewsFailure {
  message: string;
  isSignedOut: boolean;
}

/** The caller's own reviews, or what to say instead (docs/product/reviews.md, "Own reviews"). */
export async function loadOwnReviews(): Promise<OwnReviewsAnswer> {
  try {
    return { reviews: await api.call(reviewEndpoints.listOwn) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isSignedOut = error.status === 401;
    return { failure: { message: messageOf(error.status), isSignedOut } };
  }
}

function messageOf(status: number | null): string {
  if (status === 401) return 'Authentication required. Please sign in to see your reviews.';
  return status === 403 ? REVIEW_MESSAGES.ownForbidden : REVIEW_MESSAGES.ownFailed;
}
