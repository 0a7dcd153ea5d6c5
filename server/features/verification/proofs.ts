import { ERRORS } from '#contract/errors.ts';
import type { ProofKind } from '#contract/verification/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { markAnswered } from '#server/cases/cases.ts';
import type { Config } from '#server/config/config.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { type HeldDoctor, readDoctor } from '#server/features/accounts/identity/profiles.ts';
import { allPassed, applyEvidence, type ClaimDeps, holdClaim } from './claims.ts';

/** Whether a proof would change anything, and the decision is not up to an administrator. */
function canProve(
  { verification: mode }: Pick<Config, 'verification'>,
  { doctor, evidence }: HeldDoctor,
): boolean {
  const { proofs, in_training, is_resident, is_refused, checks } = evidence;
  if (mode === 'manual' || is_refused || !allPassed(checks)) return false;
  return proofs.length === 0 || (!doctor.verified && in_training && !is_resident);
}

type ProofDeps = Pick<Deps, 'config' | 'keys'>;

/** Locks a doctor who can give a proof, like `holdClaim`. Throws `nothing_to_prove`. */
export async function holdProving(deps: ProofDeps, trx: Db, userId: string): Promise<HeldDoctor> {
  const held = await holdClaim(deps.keys, trx, userId);
  if (!held || !canProve(deps.config, held)) throw new AppError('nothing_to_prove');
  return held;
}

/** The same without a lock; null if there is nothing to prove. */
export async function readProving(
  deps: ProofDeps,
  db: Db,
  userId: string,
): Promise<HeldDoctor | null> {
  const doctor = await readDoctor(deps.keys, db, userId);
  return doctor && canProve(deps.config, doctor) ? doctor : null;
}

export interface NewProof {
  readonly kind: Exclude<ProofKind, 'administrator'>;
  /** The mailbox belongs to a residency. */
  readonly isResidency?: boolean;
  /** The mailbox came after its domain's quota. */
  readonly isOverQuota?: boolean;
}

/**
 * Records a proof, and applies the outcome. The mail has the same words whatever the outcome.
 * Throws `nothing_to_prove`.
 */
export async function recordProof(
  deps: ClaimDeps,
  trx: Db,
  userId: string,
  { kind, isResidency = false, isOverQuota = false }: NewProof,
): Promise<void> {
  const held = await holdProving(deps, trx, userId);
  const { is_over_quota: wasOverQuota = false, ...evidence } = held.evidence;
  // An earlier mailbox that counts still does.
  const hasMailbox = evidence.proofs.some((proof) => proof.kind === 'mailbox') && !wasOverQuota;
  const is_over_quota = kind === 'mailbox' ? isOverQuota && !hasMailbox : wasOverQuota;
  const proven = {
    ...evidence,
    proofs: withProof(deps, held, kind),
    is_resident: evidence.is_resident || (isResidency && !isOverQuota),
    ...(is_over_quota && { is_over_quota }),
  };
  await markAnswered(trx, userId);
  await applyEvidence(deps, trx, held, proven, { isMailed: false });
  const to = held.user.email;
  await deps.jobs.enqueue(trx, 'send-mail', { to, template: 'proof-recorded', props: {} });
}

/** A doctor's proofs, with one of this kind dated today. */
export const withProof = (
  { clock }: Pick<Deps, 'clock'>,
  { evidence: { proofs } }: HeldDoctor,
  kind: ProofKind,
) => [...proofs.filter((proof) => proof.kind !== kind), { kind, on: toDay(clock()) }];

/** An error for the field `code`. */
export const wrongCode = () =>
  new AppError('invalid_proof_code', { fields: { code: [ERRORS.invalid_proof_code.text] } });
