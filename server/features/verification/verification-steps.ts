import type { VerificationSteps } from '#contract/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { findDispute, lastDayOf } from './disputes.ts';
import { nextLetterFrom, openLetter, toLetter } from './letters/letter.ts';
import { isLetterWanted } from './letters/proof.ts';
import { findLetter } from './letters/queries.ts';
import { isCodeWaiting } from './mailbox/codes.ts';

/** The proofs that an account can give now, and those in progress. */
export async function verificationSteps(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<VerificationSteps> {
  const { config, db, keys, clock } = deps;
  const today = toDay(clock());
  const isWanted = await isLetterWanted(deps, db, userId);
  const row = await findLetter(db, userId);
  const content = row && openLetter(keys, row);
  const from = content ? nextLetterFrom(content) : today;
  const dispute = await findDispute(deps, db, userId);
  return {
    mode: config.verification,
    letter: row && content ? toLetter(row, content, today) : null,
    letter_from: isWanted ? later(from, today) : null,
    mailbox_code_waits: await isCodeWaiting(deps, db, userId),
    prove_by: dispute && lastDayOf(dispute),
  };
}

const later = (one: string, other: string) => (one > other ? one : other);
