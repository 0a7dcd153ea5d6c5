import * as z from 'zod/mini';
import { NPI_DIGITS } from '../limits.ts';
import { REFUSAL_KEYS } from './proof-requests.ts';
import { Proof } from './verification.ts';

/**
 * Status of a verification. `pending`: the registry has not answered yet. `needs_proof`: it
 * matches, and a proof is required. `needs_review`: an administrator decides.
 */
export const VERIFICATION_STATUSES = ['pending', 'needs_proof', 'needs_review', 'passed'] as const;

/** The checks, in order. Null: not checked, or the registry did not say. */
export const VerificationChecks = z.strictObject({
  /** The registry knows the number. */
  known: z.nullable(z.boolean()),
  /** It is not deactivated. */
  active: z.nullable(z.boolean()),
  /** It belongs to a person, not to an organization. */
  individual: z.nullable(z.boolean()),
  /** One of its taxonomies is that of a physician or trainee. */
  physician: z.nullable(z.boolean()),
  /** The name from sign-up matches one of the registry's names. */
  name_matches: z.nullable(z.boolean()),
});
export type VerificationChecks = z.infer<typeof VerificationChecks>;

const FullName = z.strictObject({ first_name: z.string(), last_name: z.string() });

/** `created_at` is a day: no finer time is stored. */
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
    /** The day of the registry's answer. */
    checked_on: z.nullable(z.iso.date()),
    /** The registry's name, if the account's name differs. */
    registry_name: z.optional(FullName),
    /** The NPI belongs to a trainee, according to a residency's mailbox or an administrator. */
    in_training: z.boolean(),
    /** Accepted proofs. */
    proofs: z.array(Proof),
    /** The verified name, if `verified`. Other spellings of it stay verified. */
    verified_name: z.optional(FullName),
    /** An administrator's decision not to verify the account. */
    refusal: z.optional(z.strictObject({ reason: z.enum(REFUSAL_KEYS), decided_on: z.iso.date() })),
    /** Reviews of a former account with this NPI are still public: no posting before this day. */
    posting_from: z.optional(z.iso.date()),
  }),
});
export type Doctor = z.infer<typeof Doctor>;

/**
 * Checks the last digit of an NPI: the Luhn formula over "80840" and the number (CMS, "Requirements
 * for NPI and NPI Check Digit", 2004).
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
