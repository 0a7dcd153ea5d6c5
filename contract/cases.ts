import type { ReportReason } from './reviews/review-feedback.ts';
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

export const CASE_SEARCH_MESSAGES = {
  email: 'The office is never searched by email address, so that nobody is found by it.',
  npi: 'The office is never searched by NPI or another number of ten digits.',
} as const;

/** Why a search finds nothing, whatever it names; null if it may find something. */
export function searchRefusal(search: string): string | null {
  if (search.includes('@')) return CASE_SEARCH_MESSAGES.email;
  if (searchedSubject(search) !== null) return null;
  const numbers = search.replaceAll(UUIDS, 'id').replace(/[\s().-]/g, '');
  const hasNpi = /(?<!\d)\d{10}(?!\d)/.test(numbers);
  return hasNpi ? CASE_SEARCH_MESSAGES.npi : null;
}

const UUIDS = /[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;
const UUID = new RegExp(`^${UUIDS.source}$`, 'i');
const ADDRESS = new RegExp(
  `/(?:reviews/(${UUIDS.source})|employers/(\\d{1,9}))/?(?:[?#].*)?$`,
  'i',
);

/** The review or employer that a search names by its address, or a review by its id. */
export const searchedSubject = (search: string) =>
  UUID.test(search.trim()) ? { review: search.trim() } : subjectOfAddress(search);

/** The review or employer that an address names, with or without the site's name. */
export function subjectOfAddress(
  address: string,
): { review: string } | { employer: string } | null {
  const [, review, employer] = ADDRESS.exec(address.trim()) ?? [];
  if (review !== undefined) return { review };
  return employer === undefined ? null : { employer };
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
