import * as z from 'zod/mini';
import { FirstName, LastName, NewPassword } from '../accounts/accounts.ts';
import { Employer, ID_MESSAGE } from '../employers/employers.ts';
import { atMost, DecisionReason, Email, OtpCode, oneLine, required } from '../fields.ts';
import { EMPLOYER_ID_MAX, WORK_TITLE_MAX } from '../limits.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { OwnProofRequest } from '../verification/verification.ts';

/** A curator approves or refuses a representative whose mailbox is confirmed. */
export const RepresentativeState = z.enum(['pending', 'approved', 'refused']);
export type RepresentativeState = z.infer<typeof RepresentativeState>;

const details = {
  email: Email,
  first_name: FirstName,
  last_name: LastName,
  work_title: required('Work title is required').check(atMost(WORK_TITLE_MAX), oneLine),
  employer: z
    .int(ID_MESSAGE)
    .check(z.minimum(1, ID_MESSAGE), z.maximum(EMPLOYER_ID_MAX, ID_MESSAGE)),
  password: NewPassword,
};
export const RepresentativeDetails = z.strictObject(details);
export type RepresentativeDetails = z.infer<typeof RepresentativeDetails>;

/** `POST /auth/register/representative/`. A new code: `resend_otp` of `POST /auth/register/`. */
export const RepresentativeRequest = z.discriminatedUnion(
  'action',
  [
    z.strictObject({ action: z.literal('create_account'), ...details }),
    z.strictObject({ action: z.literal('verify_otp'), ...details, otp_code: OtpCode }),
  ],
  "Action must be 'create_account' or 'verify_otp'",
);

/** `GET /representatives/me/`: the caller's own representation. */
export const Representative = z.strictObject({
  state: RepresentativeState,
  employer: z.strictObject({
    id: z.int(),
    name: z.string(),
    city: z.nullable(z.string()),
    state: z.nullable(z.string()),
  }),
  work_title: z.string(),
  /** Why it was refused. */
  reason: z.string(),
  asked: z.nullable(OwnProofRequest),
});
export type Representative = z.infer<typeof Representative>;

/** What a curator looks at to decide. */
export const RepresentativeFile = z.strictObject({
  user: z.strictObject({
    id: z.uuid(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
  }),
  work_title: z.string(),
  state: RepresentativeState,
  employer: Employer,
  /** The registrable domain of the mailbox, and that of the employer's website, if known. */
  mailbox_domain: z.string(),
  employer_domain: z.nullable(z.string()),
  /** Changes whenever what the curator reads changes. */
  version: z.string(),
});
export type RepresentativeFile = z.infer<typeof RepresentativeFile>;

/** `GET /admin/representatives/`: all of them, by employer. */
export const RepresentativesQuery = z.strictObject(pageQuery);
export const RepresentativePage = pageOf(RepresentativeFile);

/** What can be decided about a representative, in display order. */
export const REPRESENTATIVE_DECISIONS = ['approve', 'refuse'] as const;
export type RepresentativeDecision = (typeof REPRESENTATIVE_DECISIONS)[number];

/**
 * `POST /admin/representatives/{id}/{decision}/`. A refused representative sees the reason. With the
 * employer that the curator saw, an approval is refused (`changed_meanwhile`) if it is another by now.
 */
export const RepresentativeDecisionRequest = z.strictObject({
  reason: DecisionReason,
  employer_id: z.optional(z.int()),
  case_id: z.optional(z.uuid()),
  /** The version that was read; `changed_meanwhile` if it has changed since. */
  version: z.optional(z.string()),
});
export type RepresentativeDecisionRequest = z.infer<typeof RepresentativeDecisionRequest>;
