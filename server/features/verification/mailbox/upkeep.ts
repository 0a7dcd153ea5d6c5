import type { Deps } from '#server/deps.ts';
import { openCode } from './codes.ts';
import { dropCode, selectCodes } from './queries.ts';

/** Deletes codes whose time is over. */
export async function forgetMailboxCodes({
  db,
  keys,
  clock,
}: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  for (const { user_id, sealed } of await selectCodes(db)) {
    if (openCode(keys, user_id, sealed, clock()) === null) await dropCode(db, user_id, sealed);
  }
}
