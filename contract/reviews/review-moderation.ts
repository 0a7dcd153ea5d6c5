import * as z from 'zod/mini';
import { atMost, required, textUpTo } from '../fields.ts';
import { REMOVAL_REASON_MAX } from '../limits.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { DECISION_OUTCOME_KEYS, GIVEN_SOURCES, REVIEW_RULE_KEYS } from '../review-rules.ts';
import { Appeal, decided, OpenAppeal } from './review-appeals.ts';
import { REPORT_REASON_KEYS } from './review-feedback.ts';
import { Reply } from './review-replies.ts';
import { ReviewRecord } from './reviews.ts';

export const REPORT_LISTS = ['open', 'removed', 'kept', 'replies'] as const;
export type ReportList = (typeof REPORT_LISTS)[number];

/**
 * `GET /admin/reports/`: reviews with open reports, most reported first; or removed reviews, newest
 * first; or public ones that were reported and kept, or whose reply was removed, last decision first.
 */
export const ReportsQuery = z.strictObject({
  ...pageQuery,
  show: z._default(z.enum(REPORT_LISTS, `Must be one of ${REPORT_LISTS.join(', ')}`), 'open'),
});
export type ReportsQuery = z.infer<typeof ReportsQuery>;

/** A report as shown to moderators, without its reporter. */
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
  /** Hidden until edited, and now edited: the author asks to publish it. */
  is_resubmitted: z.boolean(),
  /** Its author has changed it since the first open report. */
  is_edited: z.boolean(),
  /** Hidden until its author edits it. */
  is_held: z.boolean(),
  /** Changes whenever the review changes. */
  version: z.string(),
  appeal: z.optional(OpenAppeal),
});
export type ModeratedReview = z.infer<typeof ModeratedReview>;

/** A decision about a review, with the reports that it answered, without their reporters. */
export const EarlierDecision = z.strictObject({
  ...decided,
  /** The name of the moderator, or "Command or deleted account". */
  by: z.string(),
  /** Without their days, which the log leaves out, too. */
  reports: z.array(z.omit(Report, { reported_on: true })),
  /** It answered the author's request to publish an edited review. */
  was_resubmitted: z.boolean(),
  appeal: z.nullable(Appeal),
});
export type EarlierDecision = z.infer<typeof EarlierDecision>;

/** A reply as shown to moderators, with its review. */
export const ModeratedReply = z.strictObject({
  review: ReviewRecord,
  reply: z.extend(Reply, {
    /** Changes whenever the text changes. */
    version: z.string(),
    is_removed: z.boolean(),
    /** Deleted by the employer, or along with its representative: only moderators still see it. */
    is_deleted: z.boolean(),
    /** Its employer, if the review now belongs to another one: only moderators see such a reply. */
    other_employer: z.nullable(z.string()),
  }),
  /** Open reports of the reply only. */
  reports: z.array(Report),
  /** The employer has changed it since the first open report. */
  is_edited: z.boolean(),
});
export type ModeratedReply = z.infer<typeof ModeratedReply>;

/** `GET /admin/log/reviews/{id}/`: what moderators have removed of a review and its reply. */
export const RemovedTexts = z.strictObject({
  review: ReviewRecord,
  /** Whether the review itself is removed, or hidden until edited. */
  is_removed: z.boolean(),
  /** The reply, if it is removed. */
  reply: z.nullable(Reply),
});
export type RemovedTexts = z.infer<typeof RemovedTexts>;

/** `GET /admin/reviews/{id}/`: a review, whether or not a case is open about it. */
export const ReviewFile = z.strictObject({
  moderated: ModeratedReview,
  reply: z.nullable(ModeratedReply),
  decisions: z.array(EarlierDecision),
  /** Its open cases that the caller may see. */
  cases: z.array(z.strictObject({ id: z.uuid(), kind: z.enum(['report', 'appeal', 'reply']) })),
});
export type ReviewFile = z.infer<typeof ReviewFile>;

/** `case_id` is the case for the decision to name: of its appeal, or else of its open reports. */
export const ListedReview = z.extend(ModeratedReview, { case_id: z.nullable(z.uuid()) });
export type ListedReview = z.infer<typeof ListedReview>;

export const ListedReviewPage = pageOf(ListedReview);

/** Optional fields of every decision. */
const grounds = {
  /** A rule of the Guidelines page. Defaults to `general`. */
  rule: z._default(z.enum(REVIEW_RULE_KEYS, 'Please choose a rule'), 'general'),
  /** Defaults to `report` if the review has open reports, otherwise to `moderator`. */
  source: z.optional(z.enum(GIVEN_SOURCES, 'Please say how the review was found')),
  /** The case that this closes. It must still be open. */
  case_id: z.optional(z.uuid()),
  /** The version that the moderator read; `changed_meanwhile` if it has changed since. */
  version: z.optional(z.string()),
};

/** `POST /admin/reviews/{id}/remove/` and `…/hold/`. The author sees the reason. */
export const RemovalRequest = z.strictObject({
  reason: required('Please give a reason').check(atMost(REMOVAL_REASON_MAX)),
  ...grounds,
});

export type RemovalRequest = z.infer<typeof RemovalRequest>;

const keeping = z.strictObject({ note: z._default(textUpTo(REMOVAL_REASON_MAX), ''), ...grounds });

/**
 * `POST /admin/reviews/{id}/keep/` and `…/restore/`, with an optional body. The author of a
 * restored review sees the note.
 */
export const KeepingRequest = z.nullable(keeping);
export type KeepingRequest = z.infer<typeof KeepingRequest>;

/**
 * `POST /admin/reviews/{id}/second-look/`: what another moderator would have decided, without
 * knowing the decision.
 */
export const SecondLookRequest = z.strictObject({
  verdict: z.enum(['show', 'hide'], 'Please choose one'),
  case_id: z.uuid(),
});
export type SecondLookRequest = z.infer<typeof SecondLookRequest>;

/** The decision, shown after the second look. */
export const SecondLook = z.strictObject({
  agrees: z.boolean(),
  outcome: z.enum(DECISION_OUTCOME_KEYS),
  rule: z.enum(REVIEW_RULE_KEYS),
  note: z.string(),
});
export type SecondLook = z.infer<typeof SecondLook>;

export type DecisionGrounds = z.infer<typeof keeping>;
