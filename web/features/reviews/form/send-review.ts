import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewRequest } from '#contract/reviews.ts';
import { type Finding, screenReview } from '#contract/screening.ts';
import { api, session } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { openDraft } from './review-draft.ts';
import type { SentReview } from './review-values.ts';

export interface ReviewWrite {
  review: SentReview;
  draftId: string;
}

/**
 * For a `clientAction`: creates the review, or changes the one of this id. Then the draft is not
 * needed anymore, even if the form has been left.
 */
export async function sendReview(request: Request, reviewId?: string): Promise<SentReview> {
  const { review, draftId }: ReviewWrite = await request.json();
  if (reviewId === undefined) await createReview(review);
  else await api.call(reviewEndpoints.edit, { params: { id: reviewId }, body: review });
  const { user } = session.get();
  if (user) openDraft(user.id, draftId).discard();
  return review;
}

async function createReview(review: SentReview): Promise<void> {
  try {
    // NewReviewForm has checked that there is an employer.
    await api.call(reviewEndpoints.create, { body: review as ReviewRequest });
  } catch (error) {
    if (!(error instanceof ApiError && isIdentical(error))) throw error;
  }
}

/** What the server would refuse, so that it is not even sent. */
export function screenForm(review: SentReview): Finding[] {
  const employer = review.is_custom_employer === 'true' ? review.employer : undefined;
  return screenReview({ ...review, employer });
}

/** A review that says the very same is stored: it arrived before, and only the answer was lost. */
const isIdentical = ({ response }: ApiError) =>
  (response?.body as { identical?: unknown } | null)?.identical === true;
