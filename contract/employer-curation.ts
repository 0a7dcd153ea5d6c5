import * as z from 'zod/mini';
import { EMPLOYER_TYPE_KEYS, HOSPITAL_STATUSES } from './employer-choices.ts';
import { Employer, EmployerId, EmployerName } from './employers.ts';
import { pageOf, pageQuery } from './paging.ts';

/** `PATCH /admin/employers/{id}/`. Omitted fields stay. Imports do not undo the change. */
export const EmployerCurationRequest = z
  .strictObject({
    name: z.optional(EmployerName),
    employer_type: z.optional(z.enum(EMPLOYER_TYPE_KEYS, 'Unknown employer type')),
    hospital_status: z.optional(z.enum(HOSPITAL_STATUSES, 'Unknown hospital status')),
  })
  .check(
    z.refine((change) => Object.keys(change).length > 0, {
      path: ['name'],
      error: 'Please specify at least one change',
    }),
  );
export type EmployerCurationRequest = z.infer<typeof EmployerCurationRequest>;

/** `POST /admin/employers/{id}/merge/` */
export const EmployerMergeRequest = z.strictObject({ into: EmployerId });

/** The remaining employer after a merge, and the number of reviews that moved to it. */
export const EmployerMerge = z.strictObject({ employer: Employer, moved_reviews: z.int() });
export type EmployerMerge = z.infer<typeof EmployerMerge>;

/** `GET /admin/employers/submitted/`, newest first, each with its possible duplicates. */
export const SubmittedEmployerQuery = z.strictObject(pageQuery);
export const SubmittedEmployerPage = pageOf(
  z.strictObject({ employer: Employer, candidates: z.array(Employer) }),
);
