import type { ReportReason } from './review-feedback.ts';
import type { Role } from './staff-roles.ts';

/** What waits for a decision in the office. No schemas, so that pages can import it. */
export const CASE_KINDS = {
  report: 'Reported review',
  appeal: 'Appeal',
  second_look: 'Second look',
  reply: 'Reported reply',
  doctor: 'Doctor',
  eviction: 'Evicted account',
  employer: 'Submitted employer',
  correction: 'Employer correction',
  legal: 'Legal demand',
  representative: 'Representative',
} as const;
export type CaseKind = keyof typeof CASE_KINDS;
export const CASE_KIND_KEYS = Object.keys(CASE_KINDS) as [CaseKind, ...CaseKind[]];

/** Which role decides it. No role sees both doctors and reviews (docs/product/office.md). */
export const CASE_ROLES: Record<CaseKind, Role> = {
  report: 'moderator',
  appeal: 'moderator',
  second_look: 'moderator',
  reply: 'moderator',
  doctor: 'verifier',
  eviction: 'verifier',
  employer: 'curator',
  correction: 'curator',
  legal: 'owner',
  representative: 'curator',
};

/** How exactly the day of a case is known: finer, it could show when a member was online. */
export function periodOf({ kind, opened_on }: { kind: CaseKind; opened_on: string }) {
  if (kind === 'doctor' || kind === 'eviction' || kind === 'representative') return 'week';
  if (kind === 'reply' || kind === 'correction' || kind === 'appeal') return 'month';
  // A resubmission has only the month.
  return kind === 'report' && opened_on.endsWith('-01') ? 'month' : 'day';
}

/** As stored, most urgent first. */
export const CASE_PRIORITIES = { 1: 'High', 2: 'Medium', 3: 'Low' } as const;
export type CasePriority = keyof typeof CASE_PRIORITIES;

/** How urgent a reported review is, by the reason of the report. */
export const REPORT_PRIORITIES: Record<ReportReason, CasePriority> = {
  private_details: 1,
  false_or_defamatory: 2,
  abusive: 2,
  not_genuine: 2,
  off_topic: 3,
  other: 3,
};

/**
 * A case that has waited for more than this many days is overdue, counted from the end of the week
 * or month where only that is known.
 */
export const CASE_OVERDUE_DAYS = 7;

/** How long an administrator can claim a case, in minutes. Then the claim expires. */
export const CASE_CLAIM_MINUTES = 30;
