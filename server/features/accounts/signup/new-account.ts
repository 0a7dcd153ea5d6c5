import type { Insertable } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { isHeld } from '../email-change/undo-links.ts';
import { insertAccount } from '../identity/account-queries.ts';
import { emailIndex, type Identity, npiIndex, sealIdentity } from '../identity/identity.ts';
import type { DerivedPassword } from '../password/passwords.ts';
import { newAuthorSalt, sealAuthorSalt } from '../review-lock/author-salt.ts';
import { noSecret, passwordColumns } from '../review-lock/author-secret.ts';
import { isTaken } from './taken.ts';

/** Where a new doctor stands with verification; by default, at its beginning. */
export type NewProfile = Omit<Insertable<DB['doctors']>, 'user_id' | 'npi_index'>;

interface NewUser {
  id: string;
  password: DerivedPassword;
  is_admin?: boolean;
}

/** What an account begins with that has not locked its reviews. */
export const unlockedColumns = (keys: Keys, id: string, password: DerivedPassword) => ({
  ...passwordColumns(password, null),
  recovery_secret: noSecret(),
  author_salt: sealAuthorSalt(keys, id, newAuthorSalt(keys)),
});

/**
 * Adds an account, with a profile if it has an NPI. False when the address has one, or is held for
 * the account that has just left it. Others may have the same NPI.
 */
export function addAccount(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  identity: Identity,
  { id, password, is_admin = false }: NewUser,
  profile: NewProfile = {},
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { keys } = deps;
    if (await isHeld(deps, trx, identity.email)) return false;
    if (await isTaken(keys, trx, identity.email)) return false;
    const { email, npi } = identity;
    const user = {
      id,
      is_admin,
      sealed: sealIdentity(keys, id, identity),
      email_index: emailIndex(keys, email),
      ...unlockedColumns(keys, id, password),
    };
    const doctor = npi === null ? null : { npi_index: npiIndex(keys, npi), ...profile };
    return insertAccount(trx, user, doctor);
  });
}
