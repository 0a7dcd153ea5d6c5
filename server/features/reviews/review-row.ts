import type { OwnReview, Review, ReviewRecord } from '#contract/reviews.ts';

/**
 * What is read of a review; never its author, nor how many found it not helpful
 * (docs/anonymity.md). The employer's columns are kept by triggers.
 */
export const REVIEW_COLUMNS = [
  'reviews.id',
  'reviews.employer_id',
  'reviews.employer_name',
  'reviews.employer_city',
  'reviews.employer_state',
  'reviews.created_at',
  'reviews.overall_rating',
  'reviews.work_life_balance_rating',
  'reviews.mentorship_growth_rating',
  'reviews.team_collaboration_rating',
  'reviews.compensation_benefits_rating',
  'reviews.immigration_support_rating',
  'reviews.review_text',
  'reviews.pros',
  'reviews.cons',
  'reviews.overall_experience',
  'reviews.position_title',
  'reviews.specialty',
  'reviews.start_year',
  'reviews.end_year',
  'reviews.would_recommend',
  'reviews.is_current_employee',
  'reviews.helpful_count',
] as const;

export type ReviewRow = Omit<Review, 'employer' | 'created_at' | 'employment_duration'> & {
  employer_id: number;
  employer_name: string;
  employer_city: string | null;
  employer_state: string | null;
  created_at: Date;
};

/** A row as the contract has it. `now` is what a current job's length is counted to. */
export function toReview(row: ReviewRow, now: Date): Review {
  const { employer_id, employer_name, employer_city, employer_state, created_at, ...review } = row;
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
  };
}

type RecordRow = ReviewRow & { removed_reason: string | null };

/** As `toReview`, with what only its author and moderators are told. */
export function toReviewRecord({ removed_reason, ...row }: RecordRow, now: Date): ReviewRecord {
  return { ...toReview(row, now), removed_reason };
}

/** As `toReviewRecord`, with what only its author is told. */
export function toOwnReview(
  row: RecordRow,
  now: Date,
  status: OwnReview['status'] = 'published',
): OwnReview {
  return { ...toReviewRecord(row, now), status };
}

function durationOf(startYear: number, endYear: number): string {
  const years = endYear - startYear;
  if (years < 1) return 'Less than a year';
  return years === 1 ? '1 year' : `${years} years`;
}
