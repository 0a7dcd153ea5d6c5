import * as z from 'zod/mini';
import { Npi } from '../accounts/accounts.ts';
import { CASE_KIND_KEYS, CASE_SEARCH_MESSAGES, searchRefusal } from '../cases.ts';
import { Correction } from '../employers/employer-corrections.ts';
import { EmployerFile } from '../employers/employer-curation.ts';
import { Employer } from '../employers/employers.ts';
import { atMost, DecisionReason, required } from '../fields.ts';
import { LegalDemand } from '../legal-demands/legal-demands.ts';
import { DECISION_REASON_MAX, SEARCH_MAX } from '../limits.ts';
import { pageOf, pageQuery, queryIds, queryInt } from '../paging.ts';
import { RepresentativeFile } from '../replies/representatives.ts';
import { REPORT_REASON_KEYS } from '../reviews/review-feedback.ts';
import { EarlierDecision, ModeratedReply, ModeratedReview } from '../reviews/review-moderation.ts';
import { Doctor } from '../verification/doctors.ts';
import { PROOF_REQUEST_KEYS, REFUSAL_KEYS } from '../verification/proof-requests.ts';
import { STAFF_ACTS, type StaffAct } from './logged-acts.ts';

const Priority = z.union([z.literal(1), z.literal(2), z.literal(3)]);

/** Refused with its reason if it looks like what nobody may be found by. */
const search = z.string().check(
  z.trim(),
  z.maxLength(SEARCH_MAX, `Search must be at most ${SEARCH_MAX} characters`),
  z.refine(
    (text) => searchRefusal(text) !== CASE_SEARCH_MESSAGES.email,
    CASE_SEARCH_MESSAGES.email,
  ),
  z.refine((text) => searchRefusal(text) !== CASE_SEARCH_MESSAGES.npi, CASE_SEARCH_MESSAGES.npi),
);

const filters = {
  kind: z.optional(z.enum(CASE_KIND_KEYS, 'Unknown kind of case')),
  priority: z.optional(queryInt(1, 3, 'Priority must be 1, 2, or 3')),
  /** `free`: nobody holds it. `own`: the caller does. */
  claim: z.optional(z.enum(['free', 'own'], "Must be 'free' or 'own'")),
  /** An employer, the address of an employer or a review, a review's id, or a representative. */
  search: z.optional(search),
};

/** `GET /admin/cases/`: the most urgent first, then the oldest. */
export const CaseQuery = z.strictObject({ ...pageQuery, ...filters });
export type CaseQuery = z.infer<typeof CaseQuery>;

/** The same filters, for finding the next case. */
export const CaseFilters = z.strictObject(filters);
export type CaseFilters = z.infer<typeof CaseFilters>;

/** The first day of the period in which it was opened. A day could show when a member was online. */
const opened = { opened_on: z.iso.date(), period: z.enum(['day', 'week', 'month']) };

export const Case = z.strictObject({
  id: z.uuid(),
  kind: z.enum(CASE_KIND_KEYS),
  /** What it is about, as shown: a position and its employer, a person, an employer, or a demand. */
  title: z.string(),
  detail: z.string(),
  priority: Priority,
  ...opened,
  /** The last day to answer a legal demand, and whether it is over. */
  due: z.nullable(z.strictObject({ on: z.iso.date(), is_overdue: z.boolean() })),
  /** It is about the caller's own decision, so somebody else decides it. */
  is_own_decision: z.boolean(),
  /** What its person was asked for last, and whether they have done something since. */
  asked: z.nullable(
    z.strictObject({
      request: z.enum(PROOF_REQUEST_KEYS),
      asked_on: z.iso.date(),
      /** The name of the staff member, or "Deleted account". */
      by: z.string(),
      is_answered: z.boolean(),
    }),
  ),
  /** Somebody asks a second person. */
  has_question: z.boolean(),
  /** The open reports: how many, and the reason of the most urgent one. */
  reports: z.nullable(z.strictObject({ count: z.int(), reason: z.enum(REPORT_REASON_KEYS) })),
  /** The first words of the reported text; may be empty. */
  excerpt: z.string(),
  claim: z.nullable(
    z.strictObject({ is_own: z.boolean(), name: z.string(), until: z.iso.datetime() }),
  ),
});
export type Case = z.infer<typeof Case>;

/** With the number of open cases of each kind that the caller may see, whatever the filters. */
export const CasePage = z.extend(pageOf(Case), {
  kinds: z.array(z.strictObject({ kind: z.enum(CASE_KIND_KEYS), count: z.int() })),
  /** The case that has waited longest, of those that match. */
  oldest: z.nullable(z.strictObject({ kind: z.enum(CASE_KIND_KEYS), ...opened })),
});

/** `GET /admin/cases/changes/`: what has changed since a page of the queue was read. */
export const CaseChangesQuery = z.strictObject({
  ...filters,
  /** The cases of that page. */
  ids: z._default(queryIds('Please name the cases', 'Must be the ids of cases'), []),
});
export type CaseChangesQuery = z.infer<typeof CaseChangesQuery>;

export const CaseChanges = z.strictObject({
  /** Those of these cases that are still open, in no particular order. */
  cases: z.array(Case),
  /** How many other open cases match the filters. */
  others: z.int(),
});
export type CaseChanges = z.infer<typeof CaseChanges>;

/** An internal note on a case. */
export const CaseNote = z.strictObject({
  /** The name of the staff member, or "Deleted account". */
  by: z.string(),
  written_on: z.iso.date(),
  text: z.string(),
  /** It asks for a second person. */
  is_question: z.boolean(),
});
export type CaseNote = z.infer<typeof CaseNote>;

/** `POST /admin/cases/{id}/notes/`. A question also releases the writer's claim. */
export const CaseNoteRequest = z.strictObject({
  text: required('Please write a note').check(atMost(DECISION_REASON_MAX)),
  is_question: z._default(z.boolean(), false),
});
export const CaseNotes = z.strictObject({ notes: z.array(CaseNote) });

/**
 * `POST /admin/cases/{id}/ask/`: asks the doctor or the representative of a case for something, once a
 * day. The case stays open.
 */
export const ProofRequestRequest = z.strictObject({
  request: z.enum(PROOF_REQUEST_KEYS, 'Please choose what to ask for'),
  /** The version that was read; `changed_meanwhile` if it has changed since. */
  version: z.optional(z.string()),
});
export type ProofRequestRequest = z.infer<typeof ProofRequestRequest>;

/** What a staff member or a command did about the subject of a case. */
export const CaseAct = z.strictObject({
  act: z.enum(Object.values(STAFF_ACTS).flatMap((acts) => Object.keys(acts) as StaffAct[])),
  /** The name of the staff member, "Command", or "Deleted account". */
  by: z.string(),
  happened_on: z.iso.date(),
});
export type CaseAct = z.infer<typeof CaseAct>;

/** `GET /admin/history/`: what was done about a subject, latest day first. */
export const HistoryQuery = z.strictObject({
  kind: z.enum(CASE_KIND_KEYS, 'Unknown kind of case'),
  /** The id of the review, the account, the employer, or the demand. */
  subject: z.string().check(z.regex(/^[0-9a-f-]{1,36}$/, 'Unknown subject')),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;
export const History = z.strictObject({ acts: z.array(CaseAct) });

/** What takes two verifiers if it takes the NPI from an account that has proven it. */
export const SHARED_DECISIONS = ['verify', 'refuse', 'deny_posting', 'evict', 'ban'] as const;
export type SharedDecision = (typeof SHARED_DECISIONS)[number];

/** The first of two decisions. The doctor does not learn of it. */
export const FirstDecision = z.strictObject({
  decision: z.enum(SHARED_DECISIONS),
  /** The name of the verifier who must not confirm it. */
  by: z.string(),
  /** Another day must follow (UTC). */
  decided_on: z.iso.date(),
  reason: z.nullable(z.string()),
});
export type FirstDecision = z.infer<typeof FirstDecision>;

/** A doctor, with the decisions that wait for a second verifier. */
export const StaffDoctor = z.strictObject({
  ...Doctor.shape,
  first_decisions: z.array(FirstDecision),
  /** Changes whenever what the verifier reads changes. */
  version: z.string(),
});
export type StaffDoctor = z.infer<typeof StaffDoctor>;

/** A decision about another review of the same employer. */
export const SimilarDecision = z.strictObject({
  review: z.uuid(),
  position_title: z.string(),
  ...z.pick(EarlierDecision, { outcome: true, rule: true, decided_on: true, by: true }).shape,
});
export type SimilarDecision = z.infer<typeof SimilarDecision>;

/** What an administrator looks at to decide. */
export const CaseFile = z.strictObject({
  case: Case,
  file: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('review'), ...ModeratedReview.shape }),
    z.strictObject({ type: z.literal('reply'), ...ModeratedReply.shape }),
    z.strictObject({ type: z.literal('doctor'), doctor: StaffDoctor }),
    z.strictObject({ type: z.literal('employer'), ...EmployerFile.shape }),
    z.strictObject({
      type: z.literal('correction'),
      /** The employer that the corrections name. */
      employer_id: z.int(),
      /** As it is now; if it has been merged, the employer that it was merged into. */
      employer: Employer,
      corrections: z.array(Correction),
    }),
    z.strictObject({ type: z.literal('legal'), demand: LegalDemand }),
    z.strictObject({ type: z.literal('representative'), representative: RepresentativeFile }),
  ]),
  /** What staff of its role wrote for each other, oldest day first. */
  notes: z.array(CaseNote),
  /** Earlier decisions about the review, with the reports that they answered, oldest first. */
  decisions: z.array(EarlierDecision),
  /** What staff did about it before, latest day first. */
  acts: z.array(CaseAct),
  /**
   * The most urgent other cases of the same kind about the same employer. Other cases are never
   * chosen by their texts, which could bring together what one author wrote.
   */
  others: z.array(Case),
  /** The latest decisions about other reviews of the employer; for an appeal, under the same rule. */
  similar: z.array(SimilarDecision),
  /** The next one in the queue, with the same filters. */
  next_id: z.nullable(z.uuid()),
});
export type CaseFile = z.infer<typeof CaseFile>;

/** The case that this decision closes. If it is already closed, nothing happens (`case_closed`). */
const caseId = z.optional(z.uuid());

/** `POST /admin/doctors/{id}/{decision}/`. The reason is for the audit log. */
export const DoctorDecisionRequest = z.strictObject({
  reason: DecisionReason,
  case_id: caseId,
  /** The version that was read; `changed_meanwhile` if it has changed since. */
  version: z.optional(z.string()),
  /** What a doctor is told who is not verified. Without it, `DEFAULT_REFUSAL`. */
  refusal: z.optional(z.enum(REFUSAL_KEYS, 'Please choose what to tell the doctor')),
});
export type DoctorDecisionRequest = z.infer<typeof DoctorDecisionRequest>;

/** `GET /admin/doctors/`: all accounts that name an NPI, verified ones first. */
export const DoctorQuery = z.strictObject({ npi: Npi });
export const DoctorsOfNpi = z.strictObject({
  is_banned: z.boolean(),
  results: z.array(StaffDoctor),
});
export type DoctorsOfNpi = z.infer<typeof DoctorsOfNpi>;

/** `POST /admin/doctors/unban/`: by NPI, since its accounts may no longer exist. */
export const UnbanRequest = z.strictObject({ npi: Npi, reason: DecisionReason });

export const DOCTOR_MESSAGES = {
  unbanned: 'The ban is lifted.',
  notBanned: 'That NPI is not banned.',
} as const;

/** What can be decided about a doctor, in display order. */
export const DOCTOR_DECISIONS = [
  'verify',
  'refuse',
  'allow_posting',
  'deny_posting',
  'evict',
  'ban',
  'dismiss',
] as const;
export type DoctorDecision = (typeof DOCTOR_DECISIONS)[number];
