import * as z from 'zod/mini';
import { REVIEW_CHECKS, ReviewEditRequest, ReviewRequest } from '#contract/reviews.ts';
import { isCustom, type ReviewField, type ReviewValues } from './review-values.ts';

/**
 * As the API takes it (docs/product.md, "Data"). What is not set yet has no place in the type, and
 * fails the checks.
 */
function toRequest({ employer, employer_search: _, publish: __, ...values }: ReviewValues) {
  return {
    ...values,
    employer: employer && (isCustom(employer) ? employer.name : String(employer.id)),
    is_custom_employer: employer && isCustom(employer) ? 'true' : 'false',
    start_year: Number(values.start_year),
    end_year: values.is_current_employee || values.end_year === '' ? null : Number(values.end_year),
    immigration_support_rating: values.immigration_support_rating || undefined,
  } as z.input<typeof ReviewRequest>;
}

/** Checks the form by the contract's own rules, in their order. */
export const NewReviewForm = z.pipe(
  z.transform((values: ReviewValues) => ({
    ...toRequest(values),
    ...(values.publish === 'later' && { publish: values.publish }),
  })),
  ReviewRequest,
);
/** The same, but that a review may keep years which are no longer offered. */
export const EditedReviewForm = z.pipe(
  z.transform((values: ReviewValues): z.input<typeof ReviewEditRequest> => toRequest(values)),
  ReviewEditRequest,
);

/** The fields whose length is limited: that message does not name them. */
const TEXT_LABELS: Partial<Record<ReviewField, string>> = {
  employer: 'Employer',
  review_text: 'Review Summary',
  position_title: 'Position Title',
  pros: 'Pros',
  cons: 'Cons',
};

/** What the banner says of a failed check: the texts of REVIEW_CHECKS need no label. */
export function faultText(field: ReviewField, message: string): string {
  const own: readonly string[] = Object.values(REVIEW_CHECKS);
  const label = TEXT_LABELS[field];
  return label === undefined || own.includes(message) ? message : `${label}: ${message}`;
}
