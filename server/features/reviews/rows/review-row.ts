import { yearChoices } from '#contract/limits.ts';
import {
  CUSTOM_EMPLOYER_ID,
  REVIEW_TEXT_KEYS,
  REVIEW_TEXTS,
  type ReviewText,
} from '#contract/review-choices.ts';
import type { Reply } from '#contract/reviews/review-replies.ts';
import {
  type OwnReview,
  REVIEW_CHECKS,
  type Review,
  type ReviewRecord,
  type ReviewRequest,
  reviewContentFields,
} from '#contract/reviews/reviews.ts';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import type { Db } from '#server/db/open.ts';
import { AppError, type FieldErrors } from '#server/errors/app-error.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import type { Scheduled } from './scheduled-queries.ts';

/**
 * The columns that are read. Never the author or the number of "not helpful" votes
 * (docs/anonymity.md). Triggers copy the employer's columns.
 */
export const REVIEW_COLUMNS = [
  'reviews.id',
  'reviews.employer_id',
  'reviews.employer_name',
  'reviews.employer_city',
  'reviews.employer_state',
  'reviews.created_at',
  'reviews.overall_experience',
  'reviews.helpful_count',
  ...reviewContentFields.map((field) => `reviews.${field}` as const),
] as const;

export type ReviewRow = Omit<
  Review,
  'employer' | 'created_at' | 'employment_duration' | 'reply'
> & {
  employer_id: number;
  employer_name: string;
  employer_city: string | null;
  employer_state: string | null;
  created_at: Date;
  reply?: Reply | null;
};

/** Maps a row to the contract. A current job lasts until `now`. */
export function toReview(row: ReviewRow, now: Date): Review {
  const {
    employer_id,
    employer_name,
    employer_city,
    employer_state,
    created_at,
    reply,
    ...review
  } = row;
  return {
    ...review,
    employer: {
      id: employer_id,
      name: employer_name,
      city: employer_city,
      state: employer_state,
    },
    created_at: created_at.toISOString(),
    employment_duration: durationOf(row.start_year, row.end_year ?? now.getUTCFullYear()),
    ...(reply && { reply }),
  };
}

type RecordRow = ReviewRow & { removed_reason: string | null };

/** Adds what only the author and moderators see. */
export function toReviewRecord({ removed_reason, ...row }: RecordRow, now: Date): ReviewRecord {
  return { ...toReview(row, now), removed_reason };
}

/** Adds what only the author sees. */
export function toOwnReview(
  row: RecordRow,
  now: Date,
  status: OwnReview['status'] = 'published',
): OwnReview {
  return { ...toReviewRecord(row, now), status };
}

/** Scheduled reviews as their author sees them. */
export async function toOwnReviews(
  db: Db,
  rows: readonly Scheduled[],
  now: Date,
): Promise<OwnReview[]> {
  if (rows.length === 0) return [];
  const ids = rows.flatMap(({ employer_id }) => employer_id ?? []);
  const employers = await employersByAnyId(db, ids);
  return rows.map((row) => {
    const employer = row.employer_id === null ? undefined : employers.get(row.employer_id);
    const record = {
      ...contentOf(row),
      id: row.id,
      employer_id: employer?.id ?? CUSTOM_EMPLOYER_ID,
      employer_name: employer?.name ?? row.custom_employer ?? '',
      employer_city: employer?.city ?? (row.custom_city || null),
      employer_state: employer?.state ?? (row.custom_state || null),
      created_at: row.publish_at,
      overall_experience: null,
      helpful_count: 0,
      removed_reason: null,
    };
    return toOwnReview(record, now, row.held ? 'held' : 'scheduled');
  });
}

function durationOf(startYear: number, endYear: number): string {
  const years = endYear - startYear;
  if (years < 1) return 'Less than a year';
  return years === 1 ? '1 year' : `${years} years`;
}

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
