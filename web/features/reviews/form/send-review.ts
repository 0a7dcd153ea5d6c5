import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewRequest } from '#contract/reviews.ts';
import { type Finding, screen } from '#contract/screening.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import type { SentReview } from './review-values.ts';
import { type Failure, findingsFailure, submitFailure } from './submit-failure.ts';

/** Creates the review, or changes the one of this id. Null once it is stored. */
export async function sendReview(
  request: SentReview,
  reviewId: string | undefined,
): Promise<Failure | null> {
  const findings = screenRequest(request);
  if (findings.length > 0) return findingsFailure(findings);
  try {
    if (reviewId !== undefined) {
      await api.call(reviewEndpoints.edit, { params: { id: reviewId }, body: request });
    } else {
      // NewReviewForm has checked that there is an employer.
      await api.call(reviewEndpoints.create, { body: request as ReviewRequest });
    }
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // It had arrived before, and only the answer was lost.
    if (reviewId === undefined && isOfItself(error)) return null;
    return submitFailure(error, reviewId === undefined ? 'create' : 'update');
  }
}

/** What the server would refuse is not even sent. */
function screenRequest(request: SentReview): Finding[] {
  const { employer, is_custom_employer, review_text, position_title, pros, cons } = request;
  const named = is_custom_employer === 'true' ? employer : undefined;
  return screen({ employer: named, review_text, position_title, pros, cons });
}

/** Refused as the second of two reviews that say the very same. */
const isOfItself = ({ response }: ApiError) =>
  (response?.body as { identical?: unknown } | null)?.identical === true;
