import type { Letter } from '#contract/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { openLetter, toLetter } from './letters/letter.ts';
import { findLetter } from './letters/queries.ts';
import { forgetLetters } from './letters/upkeep.ts';
import { forgetMailboxCodes } from './mailbox/upkeep.ts';

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
