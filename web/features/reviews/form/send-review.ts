import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewRequest } from '#contract/reviews/reviews.ts';
import { type Finding, screenReview } from '#contract/reviews/screening.ts';
import { api, session } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { pageWrites } from '#web/lib/write.ts';
import { openDraft, type SentReview } from './review-values.ts';

interface ReviewToSend {
  review: SentReview;
  draftId: string;
  /** The review to edit. Without it, a new one is created. */
  reviewId?: string | undefined;
}

export const reviewWrites = pageWrites({
  async send({ review, draftId, reviewId }: ReviewToSend): Promise<SentReview> {
    if (reviewId === undefined) await createReview(review);
    else await api.call(reviewEndpoints.edit, { params: { id: reviewId }, body: review });
    // Runs here, because the user may have left the form.
    const { user } = session.get();
    if (user) openDraft(user.id, draftId).discard();
    return review;
  },
});

async function createReview(review: SentReview): Promise<void> {
  try {
    // NewReviewForm has checked that there is an employer.
    await api.call(reviewEndpoints.create, { body: review as ReviewRequest });
  } catch (error) {
    if (!(error instanceof ApiError && isIdentical(error))) throw error;
  }
}

/**
 * The findings for which the server would reject the review. The form does not send such a review.
 */
export function screenForm(review: SentReview): Finding[] {
  const isCustom = review.is_custom_employer === 'true';
  return screenReview({ ...review, employer: isCustom ? review.employer : undefined });
}

/**
 * The server already has the same review: an earlier request arrived, but its response was lost.
 */
const isIdentical = ({ response }: ApiError) =>
  (response?.body as { identical?: unknown } | null)?.identical === true;
