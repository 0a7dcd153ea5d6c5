import type { ProofKind } from '#contract/verification.ts';

/** What each kind of proof is called on the screens. */
export const PROOF_NAMES: Record<ProofKind, string> = {
  letter: 'A letter to your practice address',
  mailbox: 'A mailbox at your institution',
  administrator: 'An administrator’s decision',
};
