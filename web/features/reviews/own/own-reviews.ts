import type { Input } from '#contract/endpoint.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { editDraft } from '#web/features/reviews/form/review-draft.ts';
import type { SignedIn } from '#web/lib/guards.ts';
import { api, session } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export type OwnReviewsAnswer =
  | { reviews: OwnReview[] }
  | { failure: OwnReviewsFailure }
  | { isUnverified: true }
  /** A staff member who is not a doctor. */
  | { isStaff: true };

export interface OwnReviewsFailure {
  message: string;
  isSignedOut: boolean;
}

/** The user's own reviews, or what to show instead (docs/product/reviews.md, "Own reviews"). */
export async function loadOwnReviews({ user, doctor }: SignedIn): Promise<OwnReviewsAnswer> {
  // The API would return 403.
  if (doctor?.verified === false) return { isUnverified: true };
  try {
    return { reviews: await api.call(reviewEndpoints.listOwn) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 403 && user.is_admin && doctor === null) return { isStaff: true };
    const isSignedOut = error.status === 401;
    return { failure: { message: messageOf(error.status), isSignedOut } };
  }
}

function messageOf(status: number | null): string {
  if (status === 401) return 'Authentication required. Please sign in to see your reviews.';
  return status === 403 ? REVIEW_MESSAGES.ownForbidden : REVIEW_MESSAGES.ownFailed;
}

/** Also discards the draft of an edit. */
async function deleteReview(input: Input<typeof reviewEndpoints.delete>): Promise<void> {
  await api.call(reviewEndpoints.delete, input);
  const { user } = session.get();
  if (user) editDraft(user.id, String(input.params.id)).discard();
}

/** The writes of both pages that list the user's own reviews. */
export const ownReviewWrites = pageWrites({
  appeal: call(reviewEndpoints.appeal),
  publish: call(reviewEndpoints.publish),
  delete: deleteReview,
  takeBack: deleteReview,
});

/** An action on a review that the user has to confirm. */
export interface OwnReviewQuestion {
  write: 'publish' | 'delete' | 'takeBack';
  reviewId: string;
}
