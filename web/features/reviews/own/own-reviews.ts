import type { ClientActionFunctionArgs } from 'react-router';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews.ts';
import { editDraft } from '#web/features/reviews/form/review-draft.ts';
import { api, session } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { writeAction } from '#web/lib/write.ts';

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

/** What an author can do with a review after confirming it. */
export interface OwnReviewWrite {
  write: 'delete' | 'takeBack' | 'publish';
  reviewId: string;
}

/** The `clientAction` of both pages that list one's own reviews. */
export const writeOwnReview = writeAction(async ({ request }: ClientActionFunctionArgs) => {
  const { write, reviewId }: OwnReviewWrite = await request.json();
  const input = { params: { id: reviewId } };
  if (write === 'publish') return api.call(reviewEndpoints.publish, input);
  await api.call(reviewEndpoints.delete, input);
  const { user } = session.get();
  if (user) editDraft(user.id, reviewId).discard();
  return null;
});
