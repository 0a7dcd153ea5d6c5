import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { insertAccount } from './account-queries.ts';
import { type Identity, indexColumns, sealIdentity } from './identity.ts';
import { isTaken } from './taken.ts';
import { isHeld } from './undo-links.ts';

/** Where a new doctor stands with verification; by default, at its beginning. */
export type NewProfile = Omit<Insertable<DB['doctors']>, 'user_id'>;

/**
 * Adds an account, with a profile if it is a doctor's. False when the address or NPI has one, or the
 * address is held for the account that has just left it.
 */
export function addAccount(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  identity: Identity,
  user: Omit<Insertable<DB['users']>, 'sealed' | 'email_index' | 'npi_index'> & { id: string },
  doctor: NewProfile | null,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { keys } = deps;
    if (await isHeld(deps, trx, identity.email)) return false;
    if (await isTaken(keys, trx, identity)) return false;
    const sealed = sealIdentity(keys, user.id, identity);
    return insertAccount(trx, { ...user, sealed, ...indexColumns(keys, identity) }, doctor);
  });
}
