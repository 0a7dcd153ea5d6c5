import { correctionDecisionEndpoints, employerEndpoints } from '#contract/endpoints/employers.ts';
import {
  caseEndpoints,
  doctorDecisionEndpoints,
  doctorEndpoints,
  legalEndpoints,
} from '#contract/endpoints/office.ts';
import { representativeDecisionEndpoints } from '#contract/endpoints/replies.ts';
import type { StaffDoctor } from '#contract/office/case-queue.ts';
import { call, pageWrites } from '#web/lib/write.ts';

/** What staff can do with a case, except for decisions about reviews. */
export const caseWrites = pageWrites({
  approve_representative: call(representativeDecisionEndpoints.approve),
  refuse_representative: call(representativeDecisionEndpoints.refuse),
  claim: call(caseEndpoints.claim),
  release: call(caseEndpoints.release),
  prolong: call(caseEndpoints.prolong),
  note: call(caseEndpoints.note),
  ask: call(caseEndpoints.ask),
  accept: call(employerEndpoints.accept),
  reject: call(employerEndpoints.reject),
  unreject: call(employerEndpoints.unreject),
  curate: call(employerEndpoints.curate),
  preview_merge: call(employerEndpoints.previewMerge),
  merge: call(employerEndpoints.merge),
  accept_correction: call(correctionDecisionEndpoints.accept),
  refuse_correction: call(correctionDecisionEndpoints.refuse),
  // Used while other corrections for the same employer are pending.
  accept_one_of_several: call(correctionDecisionEndpoints.accept),
  refuse_one_of_several: call(correctionDecisionEndpoints.refuse),
  unmerge: call(employerEndpoints.unmerge),
  verify: call(doctorDecisionEndpoints.verify),
  refuse: call(doctorDecisionEndpoints.refuse),
  allow_posting: call(doctorDecisionEndpoints.allow_posting),
  deny_posting: call(doctorDecisionEndpoints.deny_posting),
  evict: call(doctorDecisionEndpoints.evict),
  ban: call(doctorDecisionEndpoints.ban),
  unban: call(doctorEndpoints.unban),
  dismiss: call(doctorDecisionEndpoints.dismiss),
  decideDemand: call(legalEndpoints.decide),
});

/** These leave the case open, but change it. */
const OPEN_AFTER = [
  'claim',
  'release',
  'prolong',
  'note',
  'ask',
  'curate',
  'unmerge',
  'unreject',
  'allow_posting',
  'deny_posting',
  'accept_one_of_several',
  'refuse_one_of_several',
];

/** Whether a write closes the case. It stays open for a second verifier. */
export const isDecision = (
  write: string | undefined,
  answer: Partial<Pick<StaffDoctor, 'first_decisions'>> = {},
): boolean =>
  write !== undefined &&
  !OPEN_AFTER.includes(write) &&
  !answer.first_decisions?.some(({ decision }) => decision === write);
