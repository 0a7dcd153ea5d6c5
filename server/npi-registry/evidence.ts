import type { VerificationChecks } from '#contract/verification/doctors.ts';
import type { Refusal } from '#contract/verification/proof-requests.ts';
import type { Proof } from '#contract/verification/verification.ts';

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
  /** The mailbox came after its domain's quota. It counts only with an administrator. */
  readonly is_over_quota?: boolean;
  /** One of the mailboxes belonged to a residency program. */
  readonly is_resident: boolean;
  /**
   * How the account was verified: `proof` by a letter or an administrator. Null once another account
   * has proven its NPI.
   */
  readonly held_by: 'match' | 'mailbox' | 'proof' | null;
  /** An administrator revoked the verification and has not restored it. */
  readonly is_refused: boolean;
  /** What the doctor is told about that. */
  readonly refusal?: { readonly reason: Refusal; readonly decided_on: string };
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

/** The proofs that count by themselves. */
export const countedProofs = ({ proofs, is_over_quota }: Evidence): readonly Proof[] =>
  proofs.filter(({ kind }) => kind !== 'mailbox' || !is_over_quota);

/**
 * How well an account has proven its NPI. Whoever runs a mail domain has all its mailboxes, so a
 * mailbox is weak.
 */
export type Strength = 'strong' | 'weak';

export const strengthOf = ({ held_by, proofs }: Evidence): Strength =>
  held_by === 'proof' || proofs.some(({ kind }) => kind !== 'mailbox') ? 'strong' : 'weak';
