import * as z from 'zod/mini';
import { atMost, oneLine, required, textUpTo } from '../fields.ts';
import {
  DECISION_REASON_MAX,
  DEMAND_DOCKET_MAX,
  DEMAND_REVIEW_MAX,
  DEMAND_SENDER_MAX,
  JURISDICTION_MAX,
} from '../limits.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { DEMAND_KIND_KEYS, DEMAND_MESSAGES, DEMAND_OUTCOME_KEYS } from './legal-demand-choices.ts';

const kind = z.enum(DEMAND_KIND_KEYS);
const outcome = z.nullable(z.enum(DEMAND_OUTCOME_KEYS));

/** A legal demand, as an owner sees it. */
export const LegalDemand = z.strictObject({
  id: z.uuid(),
  kind,
  received_on: z.iso.date(),
  /** A state or a court; may be empty. */
  jurisdiction: z.string(),
  /** May be empty, as well as the docket number. */
  sender: z.string(),
  docket: z.string(),
  /** The last day to answer it; null if it names none. */
  due_on: z.nullable(z.iso.date()),
  has_document: z.boolean(),
  /** The law forbids telling the author. */
  is_gagged: z.boolean(),
  /** Null while it is pending. */
  outcome,
  decided_on: z.nullable(z.iso.date()),
  /** The review it is about, without text or author; null if there is none, or no longer. */
  review: z.nullable(
    z.strictObject({
      id: z.uuid(),
      position_title: z.string(),
      employer: z.string(),
      is_public: z.boolean(),
    }),
  ),
  /** Changes whenever the demand changes. */
  version: z.string(),
});
export type LegalDemand = z.infer<typeof LegalDemand>;

/** `GET /admin/legal-demands/`: most recently received first. */
export const LegalDemandQuery = z.strictObject(pageQuery);
export type LegalDemandQuery = z.infer<typeof LegalDemandQuery>;
export const LegalDemandPage = pageOf(LegalDemand);

const dueOn = z.nullable(
  z.iso
    .date(DEMAND_MESSAGES.dueOn)
    .check(z.refine((day) => day >= '2000-01-01' && day < '2100-01-01', DEMAND_MESSAGES.dueOn)),
);

/** `POST /admin/legal-demands/`. */
export const LegalDemandRequest = z.strictObject({
  kind: z.enum(DEMAND_KIND_KEYS, DEMAND_MESSAGES.kind),
  /** Not in the future. */
  received_on: z.iso
    .date(DEMAND_MESSAGES.receivedOn)
    .check(z.refine((day) => day >= '2000-01-01', DEMAND_MESSAGES.receivedOn)),
  jurisdiction: z._default(textUpTo(JURISDICTION_MAX).check(oneLine), ''),
  /** Who demands it, and the number under which a court has it. */
  sender: z._default(textUpTo(DEMAND_SENDER_MAX).check(oneLine), ''),
  docket: z._default(textUpTo(DEMAND_DOCKET_MAX).check(oneLine), ''),
  /** The last day to answer it. May be in the past. */
  due_on: z._default(dueOn, null),
  /** The id or the URL of the review it is about. */
  review: z._default(textUpTo(DEMAND_REVIEW_MAX), ''),
  is_gagged: z._default(z.boolean(), false),
});
export type LegalDemandRequest = z.infer<typeof LegalDemandRequest>;

/**
 * `POST /admin/legal-demands/{id}/correct/`: the review that the demand is actually about, and by when
 * it must be answered. The note is for the audit log.
 */
export const LegalDemandCorrection = z.strictObject({
  /** The id or the URL of a review; empty if it is about none. */
  review: textUpTo(DEMAND_REVIEW_MAX),
  /** Without it, the last day stays as it is. */
  due_on: z.optional(dueOn),
  note: required(DEMAND_MESSAGES.note).check(atMost(DECISION_REASON_MAX)),
});
export type LegalDemandCorrection = z.infer<typeof LegalDemandCorrection>;

/** `POST /admin/legal-demands/{id}/decide/`. The note is for the audit log. */
export const LegalDemandDecision = z.strictObject({
  outcome: z.enum(DEMAND_OUTCOME_KEYS, DEMAND_MESSAGES.outcome),
  note: required(DEMAND_MESSAGES.note).check(atMost(DECISION_REASON_MAX)),
  /** The case that this closes. It must still be open. */
  case_id: z.optional(z.uuid()),
  /** The version that was read; `changed_meanwhile` if the demand has changed since. */
  version: z.optional(z.string()),
});
export type LegalDemandDecision = z.infer<typeof LegalDemandDecision>;

/** A demand about a review, as its author sees it. */
export const OwnLegalDemand = z.strictObject({
  kind,
  received_on: z.iso.date(),
  outcome,
  decided_on: z.nullable(z.iso.date()),
});
export type OwnLegalDemand = z.infer<typeof OwnLegalDemand>;
