import { yearChoices } from '#contract/limits.ts';
import { REVIEW_TEXT_KEYS, REVIEW_TEXTS, type ReviewText } from '#contract/review-choices.ts';
import {
  REVIEW_CHECKS,
  type ReviewRequest,
  reviewContentFields,
} from '#contract/reviews/reviews.ts';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import { AppError, type FieldErrors } from '#server/errors/app-error.ts';

/** What an author writes: the columns that `reviews` and `scheduled_reviews` share. */
export type ReviewContent = ReturnType<typeof toContent>;

export function toContent(
  request: Omit<ReviewRequest, 'employer' | 'is_custom_employer' | 'city' | 'state' | 'publish'>,
) {
  return {
    ...request,
    specialty: request.specialty ?? specialtyOfTitle(request.position_title),
    immigration_support_rating: request.immigration_support_rating ?? null,
    end_year: request.is_current_employee ? null : (request.end_year ?? null),
  };
}

/** Picks an author's columns from a row of either table. */
export const contentOf = (row: ReviewContent): ReviewContent =>
  Object.fromEntries(
    reviewContentFields.map((field) => [field, row[field]] as const),
  ) as unknown as ReviewContent;

/** The texts that are not empty, all but the summary with their labels. */
export const paragraphsOf = (review: Record<ReviewText, string>): string[] =>
  REVIEW_TEXT_KEYS.filter((field) => review[field]).map((field) =>
    field === 'review_text' ? review[field] : `${REVIEW_TEXTS[field]}: ${review[field]}`,
  );

/** New years must be among the current 30 choices. An edited review may keep its years. */
export function refuseOtherYears(
  { start_year, end_year }: ReviewContent,
  before: { start_year: number; end_year: number | null },
  now: Date,
) {
  const choices = yearChoices(now);
  const fields: FieldErrors = {};
  if (start_year !== before.start_year && !choices.includes(start_year)) {
    fields['start_year'] = [REVIEW_CHECKS.start_year];
  }
  if (end_year !== null && end_year !== before.end_year && !choices.includes(end_year)) {
    fields['end_year'] = [REVIEW_CHECKS.end_year];
  }
  if (Object.keys(fields).length > 0) throw new AppError('validation_error', { fields });
}

type Stored = Partial<ReviewContent> & { id: string };

/**
 * Sent with an error as `identical`: tells a client that retries after a lost response that its
 * first request succeeded.
 */
export const isIdentical = (stored: Stored | undefined, content: ReviewContent): boolean =>
  stored !== undefined && reviewContentFields.every((field) => stored[field] === content[field]);

/** The error for a second review of the same job. `review_id` is the first review. */
export function duplicateOf(first: Stored | undefined, content?: ReviewContent): AppError {
  const identical = content !== undefined && isIdentical(first, content);
  return new AppError('duplicate_review', { extra: { review_id: first?.id ?? null, identical } });
}
