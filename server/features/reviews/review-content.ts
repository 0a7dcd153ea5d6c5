import { yearChoices } from '#contract/limits.ts';
import { REVIEW_CHECKS, type ReviewRequest } from '#contract/reviews.ts';
import { describeFinding, screen } from '#contract/screening.ts';
import { AppError, type FieldErrors } from '#server/app-error.ts';

/** What a review says, as both tables store it. */
export type ReviewContent = ReturnType<typeof toColumns>;

export function toColumns(
  request: Omit<ReviewRequest, 'employer' | 'is_custom_employer' | 'publish'>,
) {
  return {
    ...request,
    immigration_support_rating: request.immigration_support_rating ?? null,
    end_year: request.is_current_employee ? null : (request.end_year ?? null),
  };
}

type Texts = Partial<
  Record<'employer' | 'review_text' | 'position_title' | 'pros' | 'cons', string>
>;

/** Throws `identifying_text`. */
export function refuseIdentifyingText({
  employer,
  review_text,
  position_title,
  pros,
  cons,
}: Texts) {
  const findings = screen({ employer, review_text, position_title, pros, cons });
  const [first] = findings;
  if (!first) return;
  const fields: FieldErrors = {};
  for (const finding of findings) {
    fields[finding.field] ??= [];
    fields[finding.field]?.push(describeFinding(finding));
  }
  throw new AppError('identifying_text', { fields, extra: { findings } });
}

/** Years must be among the 30 choices of today, or stand in the review already. */
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

/**
 * `review_id` leads to the first review. `identical`: it says the very same, so that a client that
 * lost the answer and sent again knows that its review is there. Without `content` it is not.
 */
export function duplicateOf(
  first: (Record<string, unknown> & { id: string }) | undefined,
  content?: ReviewContent,
): AppError {
  const identical =
    content !== undefined &&
    first !== undefined &&
    Object.entries(content).every(([name, value]) => first[name] === value);
  return new AppError('duplicate_review', { extra: { review_id: first?.id ?? null, identical } });
}
