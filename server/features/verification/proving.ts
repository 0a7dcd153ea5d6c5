import type { ProofKind } from '#contract/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Config } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import type { HeldDoctor } from '#server/features/accounts/service.ts';
import { allPassed } from '#server/npi-registry/checks.ts';

/** Whether a proof would change anything that is not for an administrator to decide. */
export function canProve(
  { verification: mode }: Pick<Config, 'verification'>,
  { doctor, evidence }: Pick<HeldDoctor, 'doctor' | 'evidence'>,
): boolean {
  const { proofs, in_training, is_resident, is_refused, checks } = evidence;
  if (mode === 'manual' || is_refused || !allPassed(checks)) return false;
  return proofs.length === 0 || (!doctor.verified && in_training && !is_resident);
}

/** A proof that is passed today. */
export const proofOf = ({ clock }: Pick<Deps, 'clock'>, kind: ProofKind) => ({
  kind,
  on: toDay(clock()),
});
