import * as z from 'zod/mini';
import { atMost, required } from '../fields.ts';
import { REPLY_MAX } from '../limits.ts';
import { REVIEW_RULE_KEYS } from '../review-rules.ts';

export const REPLY_MESSAGES = {
  empty: 'Please write a reply',
  identifying: 'Please remove patient or contact details from your reply.',
  reported: 'Thank you. A moderator will look at this reply.',
} as const;

/** `POST` and `PATCH /reviews/{id}/reply/`. */
export const ReplyRequest = z.strictObject({
  text: required(REPLY_MESSAGES.empty).check(atMost(REPLY_MAX)),
});

/** An employer's reply, shown under the review. It does not say which representative wrote it. */
export const Reply = z.strictObject({
  text: z.string(),
  /** The day of the last change. */
  replied_on: z.iso.date(),
});
export type Reply = z.infer<typeof Reply>;

/** A reply that a moderator removed, and why, for the employer. */
export const RemovedReply = z.strictObject({
  review_id: z.uuid(),
  text: z.string(),
  rule: z.enum(REVIEW_RULE_KEYS),
  reason: z.string(),
  decided_on: z.iso.date(),
});
export type RemovedReply = z.infer<typeof RemovedReply>;

/** `GET /reviews/replies/removed/`: under public reviews only, newest decision first. */
export const RemovedReplies = z.array(RemovedReply);

/** What a moderator can decide about a reply. `keep` also publishes a removed one again. */
export const REPLY_OUTCOMES = ['keep', 'remove'] as const;
export type ReplyOutcome = (typeof REPLY_OUTCOMES)[number];
