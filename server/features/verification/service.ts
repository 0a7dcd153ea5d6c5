import type { AccountDeletionRequest } from '#contract/account-data.ts';
import type { Letter, VerificationSteps } from '#contract/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { endPostingPauses, type HeldDoctor } from '#server/features/accounts/service.ts';
import { ban, dismiss, doctorsOfNpi, evict, setPermission, unban } from './administration.ts';
import { holdClaim } from './claims.ts';
import { findDispute, lastDayOf } from './disputes.ts';
import {
  deleteObsoleteLetters,
  findLetter,
  nextLetterFrom,
  openLetter,
  toLetter,
} from './letters/letter.ts';
import { isLetterWanted } from './letters/proof.ts';
import { deleteExpiredMailboxCodes, isCodeWaiting } from './mailbox/codes.ts';
import { renameDoctor } from './renaming.ts';
import { deleteExpiredTombstones, leaveTombstone, ownsNpi } from './tombstones.ts';

/** For other features. */
export { ban, dismiss, doctorsOfNpi, evict, holdClaim, renameDoctor, setPermission, unban };

/** The doctor's letter; null if there is none. */
export async function ownLetter(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<Letter | null> {
  const row = await findLetter(db, userId);
  const content = row && openLetter(keys, row);
  return row && content ? toLetter(row, content, toDay(clock())) : null;
}

const DISPUTED = 'Someone else has proven to hold your NPI, so your reviews cannot stay.';

/**
 * Keeps a doctor who leaves reviews behind from posting under another account. A doctor who has
 * lost the NPI to a proof cannot leave reviews, because they could never be held. Throws a
 * validation error for `reviews`.
 */
export async function leaveNpi(
  deps: Pick<Deps, 'config' | 'keys' | 'clock'>,
  trx: Db,
  held: HeldDoctor,
  fate: Exclude<AccountDeletionRequest['reviews'], 'delete'>,
): Promise<void> {
  const isDisputed = (await findDispute(deps.keys, trx, held.user.id)) !== null;
  if (isDisputed && fate === 'keep') {
    throw new AppError('validation_error', { fields: { reviews: [DISPUTED] } });
  }
  if (!isDisputed && ownsNpi(deps.config, held)) await leaveTombstone(deps, trx, held.npi, fate);
}

/** Deletes expired letters, codes, and tombstones, and ends the pauses they caused. */
export async function deleteExpired(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  const today = toDay(deps.clock());
  await deleteExpiredTombstones(deps.db, today);
  await endPostingPauses(deps.db, today);
  await deleteObsoleteLetters(deps);
  await deleteExpiredMailboxCodes(deps, deps.db);
}

/** The proofs that an account can give now, and those in progress. */
export async function verificationSteps(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<VerificationSteps> {
  const { config, db, clock } = deps;
  const today = toDay(clock());
  const letter = await ownLetter(deps, userId);
  const from = letter ? nextLetterFrom(letter) : today;
  const dispute = await findDispute(deps.keys, db, userId);
  return {
    mode: config.verification,
    letter,
    letter_from: (await isLetterWanted(deps, db, userId)) ? later(from, today) : null,
    mailbox_code_waits: await isCodeWaiting(deps, db, userId),
    prove_by: dispute && lastDayOf(dispute),
  };
}

const later = (one: string, other: string) => (one > other ? one : other);
