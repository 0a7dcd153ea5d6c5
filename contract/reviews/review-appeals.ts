import * as z from 'zod/mini';
import { atMost, required } from '../fields.ts';
import { APPEAL_MAX } from '../limits.ts';
import { REVIEW_MESSAGES } from '../review-choices.ts';
import { DECISION_OUTCOME_KEYS, DECISION_SOURCE_KEYS, REVIEW_RULE_KEYS } from '../review-rules.ts';

export const APPEAL_OUTCOMES = ['uphold', 'overturn'] as const;
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number];

/** `POST /reviews/{id}/appeal/`. */
export const AppealRequest = z.strictObject({
  text: required(REVIEW_MESSAGES.appealEmpty).check(atMost(APPEAL_MAX)),
});

/** `POST /admin/reviews/{id}/appeal/`. The author sees the answer. */
export const AppealDecisionRequest = z.strictObject({
  outcome: z.enum(APPEAL_OUTCOMES, "Must be 'uphold' or 'overturn'"),
  answer: required('Please write an answer').check(atMost(APPEAL_MAX)),
  case_id: z.optional(z.uuid()),
  /** The version that was read; `changed_meanwhile` if the review has changed since. */
  version: z.optional(z.string()),
});
export type AppealDecisionRequest = z.infer<typeof AppealDecisionRequest>;

/** A decision, as its author and moderators see it. */
export const decided = {
  outcome: z.enum(DECISION_OUTCOME_KEYS),
  rule: z.enum(REVIEW_RULE_KEYS),
  note: z.string(),
  source: z.enum(DECISION_SOURCE_KEYS),
  decided_on: z.iso.date(),
};

/** An appeal against a decision, with its answer. */
export const Appeal = z.strictObject({
  text: z.string(),
  /** Null until another moderator has decided. */
  outcome: z.nullable(z.enum(APPEAL_OUTCOMES)),
  answer: z.string(),
  answered_on: z.nullable(z.iso.date()),
});
export type Appeal = z.infer<typeof Appeal>;

/** The last decision that changed whether a review is public, as its author sees it. */
export const OwnDecision = z.strictObject({
  ...decided,
  /** The author may edit the hidden review, which sends it back to the moderators. */
  may_edit: z.boolean(),
  /** A moderator is going to look at the hidden review again. */
  awaits_moderator: z.boolean(),
  /** The last day to appeal; null if the author cannot appeal, or no longer can. */
  appeal_until: z.nullable(z.iso.date()),
  appeal: z.nullable(Appeal),
});
export type OwnDecision = z.infer<typeof OwnDecision>;

/** An appeal that waits for a moderator, and the decision it is about. */
export const OpenAppeal = z.strictObject({ text: z.string(), decision: z.strictObject(decided) });
export type OpenAppeal = z.infer<typeof OpenAppeal>;
