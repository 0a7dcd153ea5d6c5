import type { VerificationChecks } from '#contract/doctors.ts';
import type { Proof } from '#contract/verification.ts';

/** What verification has come to. Sealed with the identity; nothing that was compared is kept. */
export interface Evidence {
  readonly checks: VerificationChecks;
  /** The day the registry answered, `YYYY-MM-DD`. */
  readonly checked_on: string | null;
  /** The registry's name, while the account has another. */
  readonly registry_name?: { readonly first_name: string; readonly last_name: string };
  /** The NPI is a trainee's. */
  readonly in_training: boolean;
  readonly proofs: readonly Proof[];
  /** One of the mailboxes was a residency's. */
  readonly is_resident: boolean;
  /** What the account was verified by, unless somebody else has taken the NPI from it since. */
  readonly held_by: 'match' | 'proof' | null;
  /** An administrator took verification back, and has not given it again. */
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
