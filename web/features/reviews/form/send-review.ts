import * as z from 'zod/mini';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_TEXTS } from '#contract/review-choices.ts';
import { REVIEW_CHECKS, ReviewEditRequest, ReviewRequest } from '#contract/reviews/reviews.ts';
import { type Finding, screenReview } from '#contract/reviews/screening.ts';
import { api, session } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { pageWrites } from '#web/lib/write.ts';
import type { Failure } from './review-failure.tsx';
import {
  isCustom,
  openDraft,
  REVIEW_FIELDS,
  type ReviewField,
  type ReviewValues,
  type SentReview,
} from './review-values.ts';

/** The request body. Values that are not set yet do not fit the type; the schema rejects them. */
function toRequest({ employer, employer_search: _, publish: __, ...typed }: ReviewValues) {
  const { city, state, ...values } = typed;
  return {
    ...values,
    // Blank: not known. The author has seen the employers of this name, and means another.
    ...(employer && isCustom(employer) && { city, state }),
    employer: employer && (isCustom(employer) ? employer.name : String(employer.id)),
    is_custom_employer: employer && isCustom(employer) ? 'true' : 'false',
    specialty: values.specialty || undefined,
    start_year: Number(values.start_year),
    end_year: values.is_current_employee || values.end_year === '' ? null : Number(values.end_year),
    immigration_support_rating: values.immigration_support_rating || undefined,
  } as z.input<typeof ReviewRequest>;
}

/** Validates the form by the contract's rules, in their order. */
export const NewReviewForm = z.pipe(
  z.transform((values: ReviewValues) => ({
    ...toRequest(values),
    ...(values.publish === 'later' && { publish: values.publish }),
  })),
  ReviewRequest,
);
/** The same, but a review may keep years that are no longer offered. */
export const EditedReviewForm = z.pipe(
  z.transform((values: ReviewValues): z.input<typeof ReviewEditRequest> => toRequest(values)),
  ReviewEditRequest,
);

/**
 * Labels of the fields with a maximum length, because the message for it does not name the field.
 */
const TEXT_LABELS: Partial<Record<ReviewField, string>> = {
  employer: 'Employer',
  city: 'City',
  position_title: 'Position Title',
  ...REVIEW_TEXTS,
};

/** The first failed check, in the order of the fields. A new object, so that the form scrolls to it again. */
export function firstFailure(
  issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[],
): Failure | null {
  for (const field of REVIEW_FIELDS) {
    const issue = issues.find(({ path }) => path[0] === field);
    if (issue) return { message: fieldErrorText(field, issue.message), field };
  }
  return null;
}

/** The banner's text for a failed check. The texts of REVIEW_CHECKS need no label. */
export function fieldErrorText(field: ReviewField, message: string): string {
  const own: readonly string[] = Object.values(REVIEW_CHECKS);
  const label = TEXT_LABELS[field];
  return label === undefined || own.includes(message) ? message : `${label}: ${message}`;
}

/**
 * The findings for which the server would reject the review. The form does not send such a review.
 */
export function screenForm(review: SentReview): Finding[] {
  const isCustom = review.is_custom_employer === 'true';
  return screenReview({ ...review, employer: isCustom ? review.employer : undefined });
}

interface ReviewToSend {
  review: SentReview;
  draftId: string;
  /** The review to edit. Without it, a new one is created. */
  reviewId?: string | undefined;
}

/** What the page after the form needs to know. */
export interface StoredReview {
  id: string;
  isScheduled: boolean;
}

export const reviewWrites = pageWrites({
  async send({ review, draftId, reviewId }: ReviewToSend): Promise<StoredReview> {
    const id = await store(review, reviewId);
    // Runs here, because the user may have left the form.
    const { user } = session.get();
    if (user) openDraft(user.id, draftId).discard();
    return { id, isScheduled: review.publish === 'later' };
  },
});

/** Returns the id of the stored review. */
async function store(review: SentReview, reviewId: string | undefined): Promise<string> {
  try {
    const { id } =
      reviewId === undefined
        ? // NewReviewForm has checked that there is an employer.
          await api.call(reviewEndpoints.create, { body: review as ReviewRequest })
        : await api.call(reviewEndpoints.edit, { params: { id: reviewId }, body: review });
    return id;
  } catch (error) {
    const body = error instanceof ApiError ? (error.response?.body as Repeated | null) : null;
    // An earlier request arrived, but its response was lost.
    if (body?.identical) return reviewId ?? body.review_id;
    throw error;
  }
}

/** The error for a review that the server already has. */
interface Repeated {
  identical?: boolean;
  review_id: string;
}
