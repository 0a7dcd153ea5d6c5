import * as z from 'zod/mini';
import { textUpTo } from '../fields.ts';
import { REPORT_NOTE_MAX } from '../limits.ts';
import { queryIds } from '../paging.ts';
import { REVIEW_RULE_KEYS } from '../review-rules.ts';

/** A verified doctor's vote on someone else's review: one at a time, can be withdrawn. */
export const VOTES = ['helpful', 'not_helpful'] as const;
export type Vote = (typeof VOTES)[number];

/**
 * `POST` and `DELETE /reviews/{id}/helpful/` and `…/not-helpful/`: the caller's vote afterward,
 * and the public count. The number of "not helpful" votes stays secret, so that nobody piles on an
 * author who cannot answer. It only affects the order.
 */
export const VoteResponse = z.strictObject({
  vote: z.nullable(z.enum(VOTES)),
  helpful_count: z.int(),
});
export type VoteResponse = z.infer<typeof VoteResponse>;

/** `GET /reviews/votes/?ids=…`: comma-separated ids, at most a page of them. */
export const ReviewVotesQuery = z.strictObject({
  ids: queryIds('Please name the reviews', 'Must be the ids of reviews'),
});

/** Which of the requested reviews the caller wrote, voted on, or reported. */
export const ReviewVotes = z.strictObject({
  own: z.array(z.uuid()),
  helpful: z.array(z.uuid()),
  not_helpful: z.array(z.uuid()),
  reported: z.array(z.uuid()),
});
export type ReviewVotes = z.infer<typeof ReviewVotes>;

/** Reasons for a report, in display order. */
export const REPORT_REASONS = {
  private_details: 'Names a patient or shares private details',
  false_or_defamatory: 'False or defamatory',
  abusive: 'Abusive or unprofessional',
  not_genuine: 'Not a genuine review, or written by the employer',
  off_topic: 'Spam or off topic',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
export const REPORT_REASON_KEYS = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];

/** `POST /reviews/{id}/report/`. */
export const ReportRequest = z.strictObject({
  reason: z.enum(REPORT_REASON_KEYS, 'Please choose a reason'),
  note: z._default(textUpTo(REPORT_NOTE_MAX), ''),
});
export type ReportRequest = z.infer<typeof ReportRequest>;

/** A report by the caller that a moderator has answered, and the latest state of its subject. */
export const AnsweredReport = z.strictObject({
  about: z.enum(['review', 'reply']),
  /** Restored: it was removed, and is public again. */
  outcome: z.enum(['kept', 'removed', 'restored']),
  rule: z.enum(REVIEW_RULE_KEYS),
  decided_on: z.iso.date(),
  employer: z.string(),
  /** The review's title. Null if the review is not public: its title may have changed since. */
  position_title: z.nullable(z.string()),
  /** Null if the review is not public. */
  review_id: z.nullable(z.uuid()),
});
export type AnsweredReport = z.infer<typeof AnsweredReport>;

/** `GET /reviews/reports/`: the last 90 days, newest first. */
export const AnsweredReports = z.array(AnsweredReport);

export const FEEDBACK_MESSAGES = {
  reported: 'Thank you. A moderator will look at this review.',
} as const;
