import type { VerificationChecks } from '#contract/doctors.ts';
import type { Proof } from '#contract/verification.ts';

/** The evidence for a verification. Sealed with the identity. Compared values are not kept. */
export interface Evidence {
  readonly checks: VerificationChecks;
  /** The day of the registry's answer, `YYYY-MM-DD`. */
  readonly checked_on: string | null;
  /** The registry's name, if the account's name differs. */
  readonly registry_name?: { readonly first_name: string; readonly last_name: string };
  /** The NPI belongs to a trainee. */
  readonly in_training: boolean;
  readonly proofs: readonly Proof[];
  /** One of the mailboxes belonged to a residency program. */
  readonly is_resident: boolean;
  /** How the account was verified; null once another account has proven its NPI. */
  readonly held_by: 'match' | 'proof' | null;
  /** An administrator revoked the verification and has not restored it. */
  readonly is_refused: boolean;
}

export const NO_EVIDENCE: Evidence = {
  checks: { known: null, active: null, individual: null, physician: null, name_matches: null },
  checked_on: null,
  in_training: false,
  proofs: [],
  is_resident: false,
  held_by: null,
  is_refused: false,
};
