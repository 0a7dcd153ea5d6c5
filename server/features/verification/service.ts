import type { AccountDeletionRequest } from '#contract/account-data.ts';
import type { Letter, ProofKind } from '#contract/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { type HeldDoctor, readDoctor } from '#server/features/accounts/service.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { type ClaimDeps, holdClaim, settle } from './claims.ts';
import { findDispute, lastDayOf } from './disputes.ts';
import { openLetter, toLetter } from './letters/letter.ts';
import { findLetter } from './letters/queries.ts';
import { forgetLetters } from './letters/upkeep.ts';
import { forgetMailboxCodes } from './mailbox/upkeep.ts';
import { ownsNpi } from './ownership.ts';
import { canProve, proofOf } from './proving.ts';
import {
  deleteEndedTombstones,
  endPostingPauses,
  lockDoctor,
  UNVERIFIED,
  updateDoctor,
} from './queries.ts';
import { leaveTombstone } from './tombstones.ts';

/**
 * The account of a doctor who can give a proof now, held as `holdClaim` does. Throws
 * `nothing_to_prove`.
 */
export async function holdProving(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  trx: Db,
  userId: string,
): Promise<HeldDoctor> {
  const held = await holdClaim({ keys }, trx, userId);
  if (!held || !canProve(config, held)) throw new AppError('nothing_to_prove');
  return held;
}

/** As `holdProving`, to look only; null when there is nothing to prove. */
export async function readProving(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  db: Db,
  userId: string,
): Promise<HeldDoctor | null> {
  const doctor = await readDoctor({ keys }, db, userId);
  return doctor && canProve(config, doctor) ? doctor : null;
}

export interface NewProof {
  readonly kind: Exclude<ProofKind, 'administrator'>;
  /** The mailbox is a residency's. */
  readonly isResidency?: boolean;
}

/** Records a proof as passed, and decides what follows. Throws `nothing_to_prove`. */
export async function recordProof(
  deps: ClaimDeps,
  trx: Db,
  userId: string,
  { kind, isResidency = false }: NewProof,
): Promise<void> {
  const held = await holdProving(deps, trx, userId);
  const { evidence } = held;
  await settle(deps, trx, held, {
    ...evidence,
    proofs: [...evidence.proofs.filter((proof) => proof.kind !== kind), proofOf(deps, kind)],
    is_resident: evidence.is_resident || isResidency,
  });
}

/** Whether a doctor is verified, held still until the transaction ends. */
export async function holdVerified(trx: Db, userId: string): Promise<boolean> {
  return (await lockDoctor(trx, userId))?.verified ?? false;
}

/**
 * Begins anew with a doctor whose name has changed: the registry is asked again. One whom an
 * administrator keeps from posting waits for an administrator: the registry would lift that
 * decision. Returns the evidence that is left; the caller writes it down.
 */
export async function reopenVerification(
  { jobs }: Pick<Deps, 'jobs'>,
  trx: Db,
  userId: string,
  { registry_name: _, ...evidence }: Evidence,
): Promise<Evidence> {
  const doctor = await lockDoctor(trx, userId);
  const is_denied = doctor?.verified && !doctor.can_post_reviews && doctor.posting_from === null;
  const is_refused = evidence.is_refused || is_denied === true;
  await updateDoctor(trx, userId, {
    ...UNVERIFIED,
    verification_status: is_refused ? 'needs_review' : 'pending',
  });
  if (!is_refused) await jobs.enqueue(trx, 'verify-npi', { userId });
  const { checks, checked_on } = NO_EVIDENCE;
  // An administrator has judged another name.
  const proofs = evidence.proofs.filter(({ kind }) => kind !== 'administrator');
  return { ...evidence, proofs, checks, checked_on, is_refused };
}

/** The last day that an account can prove to hold the NPI it has lost; null when it has lost none. */
export async function proveBy(
  deps: Pick<Deps, 'keys'>,
  db: Db,
  userId: string,
): Promise<string | null> {
  const dispute = await findDispute(deps, db, userId);
  return dispute ? lastDayOf(dispute) : null;
}

/** Ends what tombstones keep from posting, once their time has come. */
export async function endPauses(db: Db, today: string): Promise<void> {
  await deleteEndedTombstones(db, today);
  await endPostingPauses(db, today);
}

const DISPUTED = 'Someone else has proven to hold your NPI, so your reviews cannot stay.';

/** Whoever changes a name or goes is held before anything else of the account is. */
export { holdClaim };

/**
 * Keeps whoever leaves reviews behind from posting again under another account. Whoever has lost the
 * NPI to a proof can leave none: they could never be held. Throws a fault of `reviews`.
 */
export async function leaveNpi(
  deps: Pick<Deps, 'config' | 'keys' | 'clock'>,
  trx: Db,
  held: HeldDoctor,
  fate: Exclude<AccountDeletionRequest['reviews'], 'delete'>,
): Promise<void> {
  const { user, npi } = held;
  const isDisputed = (await findDispute(deps, trx, user.id)) !== null;
  if (isDisputed && fate === 'keep') {
    const fields = { reviews: [DISPUTED] };
    throw new AppError('validation_error', { fields });
  }
  if (!isDisputed && ownsNpi(deps.config, held)) await leaveTombstone(deps, trx, npi, fate);
}

/** The letter on its way to a doctor; null when there is none. */
export async function ownLetter(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<Letter | null> {
  const row = await findLetter(db, userId);
  const content = row && openLetter(keys, row);
  return row && content ? toLetter(row, content, toDay(clock())) : null;
}

/** Deletes letters and codes that have had their time. */
export async function forgetProofs(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  await forgetLetters(deps);
  await forgetMailboxCodes(deps);
}
