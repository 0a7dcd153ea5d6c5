import * as z from 'zod/mini';
import { NPI_DIGITS } from './limits.ts';
import { Proof } from './verification.ts';

/**
 * Where a doctor stands: the registry has not answered yet; it matches and a proof is wanted; an
 * administrator decides; verified.
 */
export const VERIFICATION_STATUSES = ['pending', 'needs_proof', 'needs_review', 'passed'] as const;

/** The checks in the order they are made; null: not made, or the registry did not say. */
export const VerificationChecks = z.strictObject({
  /** The registry knows the number. */
  known: z.nullable(z.boolean()),
  /** It is active, not deactivated. */
  active: z.nullable(z.boolean()),
  /** It belongs to a person, not to an organization. */
  individual: z.nullable(z.boolean()),
  /** One of its taxonomies is a physician's or a trainee's. */
  physician: z.nullable(z.boolean()),
  /** The name given at sign-up is one of the registry's names for it. */
  name_matches: z.nullable(z.boolean()),
});
export type VerificationChecks = z.infer<typeof VerificationChecks>;

const FullName = z.strictObject({ first_name: z.string(), last_name: z.string() });

/** Specification, section 3. `created_at` is a day: nothing finer is kept. */
export const Doctor = z.strictObject({
  user: z.strictObject({
    id: z.uuid(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    username: z.string(),
  }),
  npi: z.string(),
  created_at: z.iso.date(),
  verified: z.boolean(),
  can_post_reviews: z.boolean(),
  verification: z.strictObject({
    status: z.enum(VERIFICATION_STATUSES),
    checks: VerificationChecks,
    /** The day the registry answered. */
    checked_on: z.nullable(z.iso.date()),
    /** The registry's name, where the account's is another. */
    registry_name: z.optional(FullName),
    /** The NPI is a trainee's: a residency's mailbox, or a proof and an administrator. */
    in_training: z.boolean(),
    /** Proofs that were passed. */
    proofs: z.array(Proof),
    /** The name that was verified; `verified` only. Another spelling of it keeps the verification. */
    verified_name: z.optional(FullName),
    /** Reviews of a former account under this NPI stand: none can be posted before this day. */
    posting_from: z.optional(z.iso.date()),
  }),
});
export type Doctor = z.infer<typeof Doctor>;

/**
 * The check digit of an NPI: Luhn's formula over "80840" and the number
 * (CMS, "Requirements for NPI and NPI Check Digit", 2004).
 */
export function hasValidCheckDigit(npi: string): boolean {
  const digits = `80840${npi}`;
  if (npi.length !== NPI_DIGITS || /\D/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
