import type { Deps } from '#server/deps.ts';
import { forgetLetters } from './letters/upkeep.ts';
import { forgetMailboxCodes } from './mailbox/upkeep.ts';

/** Deletes letters and codes that have had their time. */
export async function forgetProofs(deps: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  await forgetLetters(deps);
  await forgetMailboxCodes(deps);
}
