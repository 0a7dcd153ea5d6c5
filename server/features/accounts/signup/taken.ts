import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { findAccountByEmail, holdIndexes } from '../identity/account-queries.ts';
import { emailIndexes } from '../identity/identity.ts';

/**
 * Whether an address that is about to be written has an account under any of several keys. The
 * unique constraint settles what stands under one key. While there are two, servers may write under
 * either: they wait here for each other, and then see what the first has written.
 */
export async function isTaken(keys: Keys, trx: Db, email: string): Promise<boolean> {
  const indexes = emailIndexes(keys, email);
  if (indexes.length === 1) return false;
  await holdIndexes(trx, indexes);
  // A statement of its own: it has to see what those who held them have committed.
  return (await findAccountByEmail(trx, indexes)) !== undefined;
}
