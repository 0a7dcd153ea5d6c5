import * as z from 'zod/mini';
import { DEMAND_KIND_KEYS, DEMAND_OUTCOME_KEYS } from '../legal-demands/legal-demand-choices.ts';
import { DECISION_OUTCOME_KEYS, REVIEW_RULE_KEYS } from '../review-rules.ts';
import { REPORT_REASON_KEYS } from '../reviews/review-feedback.ts';

/** A number, or `<5` for 1 to 4. */
const Count = z.union([z.int(), z.literal('<5')]);
export type Count = z.infer<typeof Count>;

/** A total; null if it would reveal a suppressed number. */
const Total = z.nullable(Count);

/** What the office did in a complete month. */
export const OfficeMonth = z.strictObject({
  /** `2026-10` */
  month: z.string().check(z.regex(/^\d{4}-\d{2}$/)),
  reports: z.strictObject({
    total: Total,
    by_reason: z.array(z.strictObject({ reason: z.enum(REPORT_REASON_KEYS), count: Count })),
  }),
  decisions: z.strictObject({
    total: Total,
    /** The moderation log: outcomes by rule, with their counts. */
    log: z.array(
      z.strictObject({
        rule: z.enum(REVIEW_RULE_KEYS),
        outcome: z.enum(DECISION_OUTCOME_KEYS),
        count: Count,
      }),
    ),
    /** From the first report to the decision; null with fewer than 5 decisions about reports. */
    median_days: z.nullable(z.int()),
  }),
  appeals: z.strictObject({ received: Total, upheld: Count, overturned: Count }),
  legal_demands: z.strictObject({
    total: Total,
    /** The kinds received or answered. An outcome counts when it is decided. */
    by_kind: z.array(
      z.strictObject({
        kind: z.enum(DEMAND_KIND_KEYS),
        received: Total,
        outcomes: z.array(z.strictObject({ outcome: z.enum(DEMAND_OUTCOME_KEYS), count: Count })),
      }),
    ),
  }),
  /** Employers' replies, counted separately from reviews. `kept` includes those published again. */
  replies: z.strictObject({ reported: Total, kept: Count, removed: Count }),
});
export type OfficeMonth = z.infer<typeof OfficeMonth>;

/** `GET /transparency/`: the last complete months in which anything happened, newest first. */
export const Transparency = z.strictObject({
  /** One person decides about reviews, including appeals. */
  is_office_of_one: z.boolean(),
  /** Decisions that another moderator reviewed blind, over all of these months. */
  second_looks: z.strictObject({ total: Count, differing: Total }),
  /** Whether any legal demand was recorded before the current month. */
  had_legal_demands: z.boolean(),
  months: z.array(OfficeMonth),
});
export type Transparency = z.infer<typeof Transparency>;
