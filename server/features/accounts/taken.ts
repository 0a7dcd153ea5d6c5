import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { holdIndexes, isAnyIndexTaken } from './account-queries.ts';
import { emailIndexes, type Identity, npiIndexes } from './identity.ts';

/**
 * Whether an address or NPI that is about to be written has an account under any of several keys.
 * The unique constraints settle what stands under one key. While there are two, servers may write
 * under either: they wait here for each other, and then see what the first has written.
 */
export async function isTaken(
  keys: Keys,
  trx: Db,
  { email, npi }: Pick<Identity, 'email' | 'npi'>,
): Promise<boolean> {
  const emails = emailIndexes(keys, email);
  if (emails.length === 1) return false;
  const npis = npi === null ? [] : npiIndexes(keys, npi);
  await holdIndexes(trx, [...emails, ...npis]);
  // A statement of its own: it has to see what those who held them have committed.
  return isAnyIndexTaken(trx, { emails, npis });
}
