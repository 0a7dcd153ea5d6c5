import type { AccountDeletionRequest } from '#contract/member/account-data.ts';
import type { Letter, VerificationSteps } from '#contract/verification/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { ownProofRequest } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { endPostingPauses } from '#server/features/accounts/identity/account-writes.ts';
import type { HeldDoctor } from '#server/features/accounts/identity/profiles.ts';
import { strengthOf } from '#server/npi-registry/evidence.ts';
import { ownsNpi } from './claims.ts';
import { isLetterWanted } from './letters/proof.ts';
import {
  deleteObsoleteLetters,
  findLetter,
  nextLetterFrom,
  openLetter,
  toLetter,
} from './letters/stored-letters.ts';
import { deleteExpiredMailboxCodes, isCodeWaiting } from './mailbox/codes.ts';
import { deleteEndedQuotas } from './mailbox/quota.ts';
import { deleteLapsedDecisions } from './shared-decisions.ts';
import { deleteExpiredTombstones, leaveTombstone } from './tombstones.ts';

/** The doctor's letter; null if there is none. */
export async function ownLetter(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<Letter | null> {
  const row = await findLetter(db, userId);
  const content = row && openLetter(keys, row);
  return row && content ? toLetter(row, content, toDay(clock())) : null;
}

/** Keeps a doctor who leaves reviews behind from posting under another account. */
export async function leaveNpi(
  deps: Pick<Deps, 'config' | 'keys' | 'clock'>,
  trx: Db,
  held: HeldDoctor,
  fate: Exclude<AccountDeletionRequest['reviews'], 'delete'>,
): Promise<void> {
  if (!(await ownsNpi(deps, trx, held))) return;
  const marked = { npi: held.npi, strength: strengthOf(held.evidence) };
  await leaveTombstone(deps, trx, marked, fate);
}

/** Deletes expired letters, codes, decisions, quotas, and tombstones, and ends the pauses they caused. */
export async function deleteExpired(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  const today = toDay(deps.clock());
  await deleteExpiredTombstones(deps.db, today);
  await endPostingPauses(deps.db, today);
  await deleteLapsedDecisions(deps.db, today);
  await deleteEndedQuotas(deps.db, today);
  await deleteObsoleteLetters(deps);
  await deleteExpiredMailboxCodes(deps);
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
  return {
    mode: config.verification,
    letter,
    letter_from: (await isLetterWanted(deps, db, userId)) ? later(from, today) : null,
    asked: await ownProofRequest(db, userId),
    mailbox_code_waits: await isCodeWaiting(deps, db, userId),
  };
}

const later = (one: string, other: string) => (one > other ? one : other);
