import * as z from 'zod/mini';
import { REVIEW_TEXTS } from '#contract/review-choices.ts';
import { REVIEW_CHECKS, ReviewEditRequest, ReviewRequest } from '#contract/reviews/reviews.ts';
import type { Failure } from './review-failure.tsx';
import { isCustom, REVIEW_FIELDS, type ReviewField, type ReviewValues } from './review-values.ts';

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
