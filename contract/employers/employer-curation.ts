import * as z from 'zod/mini';
import { DecisionReason, textUpTo } from '../fields.ts';
import { DECISION_REASON_MAX } from '../limits.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { EmployerFacts } from './employer-facts.ts';
import { REJECTION_KEYS } from './employer-rejections.ts';
import { Employer, EmployerId } from './employers.ts';

/** `PATCH /admin/employers/{id}/`. Omitted facts do not change. Imports do not undo the change. */
export const EmployerCurationRequest = z
  .extend(z.partial(EmployerFacts), { reason: z.optional(DecisionReason) })
  .check(
    z.refine((change) => Object.keys(change).some((name) => name !== 'reason'), {
      path: ['name'],
      error: 'Please specify at least one change',
    }),
  );
export type EmployerCurationRequest = z.infer<typeof EmployerCurationRequest>;

const caseId = z.optional(z.uuid());
/** The version that was read; `changed_meanwhile` if the facts have changed since. */
const readVersion = z.optional(z.string());

/** `POST /admin/employers/{id}/merge/`. `case_id`: the case that this closes. */
export const EmployerMergeRequest = z.strictObject({
  into: EmployerId,
  reason: z.optional(DecisionReason),
  case_id: caseId,
  version: readVersion,
});
export type EmployerMergeRequest = z.infer<typeof EmployerMergeRequest>;

/** `POST /admin/employers/{id}/accept/`: keeps an employer that a doctor added. */
export const EmployerAcceptanceRequest = z.strictObject({ case_id: caseId, version: readVersion });
export type EmployerAcceptanceRequest = z.infer<typeof EmployerAcceptanceRequest>;

/**
 * `POST /admin/employers/{id}/reject/`: removes an employer that a doctor added, and hides its
 * reviews. The note is for the audit log.
 */
export const EmployerRejectionRequest = z.strictObject({
  rejection: z.enum(REJECTION_KEYS, 'Please choose a reason'),
  note: z._default(textUpTo(DECISION_REASON_MAX), ''),
  case_id: caseId,
  version: readVersion,
});
export type EmployerRejectionRequest = z.infer<typeof EmployerRejectionRequest>;

/** How many reviews were hidden. */
export const EmployerRejection = z.strictObject({ hidden_reviews: z.int() });
export type EmployerRejection = z.infer<typeof EmployerRejection>;

/** `POST /admin/employers/{id}/unreject/`: it was rejected by mistake. */
export const EmployerUnrejectRequest = z.strictObject({ reason: DecisionReason });
export type EmployerUnrejectRequest = z.infer<typeof EmployerUnrejectRequest>;

/** The restored employer, and how many reviews are public again. */
export const EmployerUnrejection = z.strictObject({
  employer: Employer,
  restored_reviews: z.int(),
});
export type EmployerUnrejection = z.infer<typeof EmployerUnrejection>;

/** The remaining employer after a merge, and the number of reviews that moved to it. */
export const EmployerMerge = z.strictObject({ employer: Employer, moved_reviews: z.int() });
export type EmployerMerge = z.infer<typeof EmployerMerge>;

/** `GET /admin/employers/{id}/merge/`: `into` is the same as in the merge. */
export const EmployerMergePreviewQuery = z.strictObject({ into: EmployerId });

/** What a merge would move. */
export const EmployerMergePreview = z.strictObject({
  from: Employer,
  into: Employer,
  /** Including reviews that are not public. */
  reviews: z.int(),
  /** Employers merged into `from` earlier. */
  redirects: z.int(),
  /** Corrections waiting for a curator. */
  corrections: z.int(),
  /** Changes whenever a fact of either employer changes. */
  version: z.string(),
});
export type EmployerMergePreview = z.infer<typeof EmployerMergePreview>;

/** `POST /admin/employers/{id}/unmerge/` */
export const EmployerUnmergeRequest = z.strictObject({ reason: DecisionReason });
export type EmployerUnmergeRequest = z.infer<typeof EmployerUnmergeRequest>;

/** The restored employer, and the number of reviews that returned to it. */
export const EmployerUnmerge = z.strictObject({ employer: Employer, returned_reviews: z.int() });
export type EmployerUnmerge = z.infer<typeof EmployerUnmerge>;

/** The facts by which imports recognize an employer. */
export const COMPARED_FACTS = ['address', 'phone', 'name'] as const;

const NamedEmployer = z.strictObject({ id: z.int(), name: z.string() });

/** `GET /admin/employers/{id}/`: what a curator sees of any employer. */
export const EmployerFile = z.strictObject({
  employer: Employer,
  /** Changes whenever one of its facts changes. */
  version: z.string(),
  /** The employer it was merged into. */
  merged_into: z.nullable(NamedEmployer),
  /** Why it was rejected. */
  rejected_for: z.nullable(z.enum(REJECTION_KEYS)),
  /** Likely duplicates. */
  candidates: z.array(Employer),
  /** What each candidate has in common with it, as far as imports compare it. */
  in_common: z.array(z.strictObject({ id: z.int(), facts: z.array(z.enum(COMPARED_FACTS)) })),
  /** Merges from and into this employer that can still be undone, newest first. */
  merges: z.array(
    z.strictObject({
      /** The employer that would be restored. */
      employer: NamedEmployer,
      merged_on: z.iso.date(),
      /** The last day it can be undone. */
      undo_until: z.iso.date(),
    }),
  ),
});
export type EmployerFile = z.infer<typeof EmployerFile>;

/** `GET /admin/employers/submitted/`, newest first, each with its possible duplicates. */
export const SubmittedEmployerQuery = z.strictObject(pageQuery);
export const SubmittedEmployerPage = pageOf(
  z.strictObject({ employer: Employer, candidates: z.array(Employer) }),
);
