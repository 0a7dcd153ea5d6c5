import type { Role } from '../staff-roles.ts';

/** Subjects of the audit log, in display order. No schemas, so that pages can import it. */
export const LOG_KINDS = {
  reviews: 'Reviews',
  replies: 'Replies',
  doctors: 'Doctors',
  representatives: 'Representatives',
  employers: 'Employers',
  legal: 'Legal demands',
  staff: 'Staff',
  server: 'Server',
} as const;
export type LogKind = keyof typeof LOG_KINDS;
export const LOG_KIND_KEYS = Object.keys(LOG_KINDS) as [LogKind, ...LogKind[]];

/** What entries can be searched for. Never a doctor. */
export const LOG_SUBJECTS = ['review', 'employer', 'demand'] as const;

/** The most entries of an export. */
export const LOG_EXPORT_MAX = 10_000;

/** What staff and commands do, as shown in the log. The keys are stored. */
export const STAFF_ACTS = {
  reviews: {
    'review.keep': 'Kept a review',
    'review.remove': 'Removed a review',
    'review.hold': 'Hid a review until it is edited',
    'review.restore': 'Restored a review',
    'appeal.uphold': 'Rejected an appeal',
    'appeal.overturn': 'Granted an appeal',
    'second-look.agree': 'Agreed in a second look',
    'second-look.differ': 'Disagreed in a second look',
    'note.review': 'Wrote a note about a review',
  },
  replies: {
    'reply.keep': 'Kept a reply',
    'reply.remove': 'Removed a reply',
    'reply.restore': 'Restored a reply',
    'note.reply': 'Wrote a note about a reply',
  },
  doctors: {
    'doctor.ask': 'Asked a doctor for a proof',
    'doctor.verify': 'Verified a doctor',
    'doctor.unverify': 'Refused to verify a doctor',
    'doctor.allow-posting': 'Allowed a doctor to post',
    'doctor.deny-posting': 'Stopped a doctor from posting',
    'doctor.evict': 'Evicted a doctor',
    'doctor.ban': 'Banned a doctor',
    'doctor.unban': 'Lifted a ban',
    'doctor.dismiss': 'Left an account as it is',
    'doctor.decide-first': 'Decided first, of two verifiers, about a doctor',
    'note.doctor': 'Wrote a note about a doctor',
  },
  representatives: {
    'representative.ask': 'Asked a representative for a proof',
    'representative.approve': 'Approved a representative',
    'representative.refuse': 'Refused a representative',
    'note.representative': 'Wrote a note about a representative',
  },
  employers: {
    'employers.accept': 'Kept a submitted employer',
    'employers.reject': 'Rejected a submitted employer',
    'employers.unreject': 'Undid a rejection',
    'employers.alias': 'Added another name of an employer',
    'employers.curate': 'Changed facts of an employer',
    'employers.merge': 'Merged an employer',
    'employers.unmerge': 'Undid a merge',
    'correction.accept': 'Accepted a correction',
    'correction.refuse': 'Refused a correction',
    'note.employer': 'Wrote a note about an employer',
  },
  legal: {
    'legal.receive': 'Recorded a legal demand',
    'demand.document': 'Added a document to a legal demand',
    'demand.replace-document': 'Replaced the document of a legal demand',
    'demand.correct': 'Corrected a legal demand',
    'legal.unable': 'Handed nothing over: we cannot',
    'legal.rejected': 'Handed nothing over: not valid',
    'legal.contested': 'Contested a legal demand',
    'legal.complied_in_part': 'Complied with a legal demand in part',
    'legal.complied': 'Complied with a legal demand',
    'legal.withdrawn': 'Recorded that a legal demand was withdrawn',
    'gag.lift': 'Let the author read of a legal demand',
    'note.legal': 'Wrote a note about a legal demand',
  },
  staff: {
    'admin.add': 'Added a staff member',
    'staff.appoint': 'Changed the roles of a staff member',
    'staff.dismiss': 'Removed a staff member',
    'staff.reset-factor': 'Reset a second factor',
    'factor.set-up': 'Set up a second factor',
    'factor.remove': 'Removed a second factor',
  },
  server: {
    'keys.rotate': 'Rotated the sealing keys',
    'keys.accept': 'Gave up a key that was lost',
    'index.rotate': 'Rotated the index key',
    'authorship.rotate': 'Rotated the authorship key',
    'registry.import': 'Imported the registry',
    'registry.forget': 'Deleted the imported registry',
    'employers.import': 'Imported employers',
    'employers.import_undo': 'Undid an import of employers',
    'database.restore': 'Restored a backup',
    'letters.print': 'Printed letters',
    'letters.print-again': 'Printed letters again',
    'domains.add': 'Listed a domain of an institution',
    'domains.remove': 'Removed a domain of an institution',
    'domains.quota': 'Changed how many proofs of a domain count',
    'domains.from-employers': 'Listed domains of employers',
  },
} as const satisfies Record<LogKind, Readonly<Record<string, string>>>;

type KeysOf<T> = T extends unknown ? keyof T : never;
export type StaffAct = KeysOf<(typeof STAFF_ACTS)[LogKind]>;

/** What readers and authors do. Counted for the public record, and never shown. */
export type MemberAct = 'report.receive' | 'reply.report' | 'appeal.receive' | 'review.resubmit';

const ABOUT_REVIEWS: readonly LogKind[] = ['reviews', 'replies'];

/** Staff who know doctors by name read nothing about reviews, except in an office of one. */
export const logKindsFor = (roles: readonly Role[]): LogKind[] =>
  roles.includes('verifier') && !roles.includes('moderator')
    ? LOG_KIND_KEYS.filter((kind) => !ABOUT_REVIEWS.includes(kind))
    : LOG_KIND_KEYS;
