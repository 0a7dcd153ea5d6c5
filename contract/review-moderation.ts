import * as z from 'zod/mini';
import { atMost, required } from './fields.ts';
import { REMOVAL_REASON_MAX } from './limits.ts';
import { pageOf, pageQuery } from './paging.ts';
import { REPORT_REASON_KEYS } from './review-feedback.ts';
import { ReviewRecord } from './reviews.ts';

/**
 * `GET /admin/reports/`: reviews with open reports, most reported first; or removed reviews, newest
 * first.
 */
export const ReportsQuery = z.strictObject({
  ...pageQuery,
  show: z._default(z.enum(['open', 'removed'], "Must be 'open' or 'removed'"), 'open'),
});
export type ReportsQuery = z.infer<typeof ReportsQuery>;

/** A report as shown to moderators, without its author. */
export const Report = z.strictObject({
  reason: z.enum(REPORT_REASON_KEYS),
  note: z.string(),
  reported_on: z.iso.date(),
});
export type Report = z.infer<typeof Report>;

/** A review as shown to moderators, without its author. */
export const ModeratedReview = z.strictObject({
  review: ReviewRecord,
  /** Open reports only. */
  reports: z.array(Report),
});
export type ModeratedReview = z.infer<typeof ModeratedReview>;

export const ModeratedReviewPage = pageOf(ModeratedReview);

/** `POST /admin/reviews/{id}/remove/`. The author sees the reason. */
export const RemovalRequest = z.strictObject({
  reason: required('Please give a reason').check(atMost(REMOVAL_REASON_MAX)),
});
