import { randomUUID } from 'node:crypto';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { SignupDetails } from '#contract/accounts/accounts.ts';
import type { Role } from '#contract/staff-roles.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import {
  firstSalt,
  noSecret,
  passwordColumns,
  sealAuthorSalts,
} from '#server/features/accounts/credentials/author-secret.ts';
import type { DerivedPassword } from '#server/features/accounts/credentials/passwords.ts';
import { isReserved } from '#server/features/accounts/mail-links.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { findAccountByEmail, holdIndexes } from './account-queries.ts';
import { emailIndex, emailIndexes, type Identity, npiIndex, sealIdentity } from './identity.ts';

type NewDoctor = Omit<Insertable<DB['doctors']>, 'user_id'>;

/** The verification state. By default, nothing has been checked. */
export interface Standing {
  profile?: Omit<NewDoctor, 'npi_index'>;
  evidence?: Evidence;
}

/** Adds a doctor's account and returns its id; null if the email address is taken. */
export async function insertDoctor(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  { email, first_name, last_name, npi }: Omit<SignupDetails, 'password'>,
  password: DerivedPassword,
  { profile, evidence = NO_EVIDENCE }: Standing = {},
): Promise<string | null> {
  const id = randomUUID();
  // Random, and shown only to its owner.
  const username = `dr-${randomUUID().slice(0, 8)}`;
  const joined_on = toDay(deps.clock());
  const identity = { email, first_name, last_name, npi, username, joined_on, evidence };
  const doctor = { npi_index: npiIndex(deps.keys, npi), ...profile };
  return (await insertAccount(deps, db, identity, { id, password }, doctor)) ? id : null;
}

/**
 * False if another account has the email address, or changed away from it in the last few days.
 * Several accounts may name the same NPI.
 */
export function insertAccount(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  identity: Identity,
  { id, password, roles = [] }: { id: string; password: DerivedPassword; roles?: readonly Role[] },
  doctor: NewDoctor | null = null,
): Promise<boolean> {
  const { keys } = deps;
  return inTransaction(db, async (trx) => {
    if (await isReserved(deps, trx, identity.email)) return false;
    if (await isTaken(keys, trx, identity.email)) return false;
    const inserted = await trx
      .insertInto('users')
      .values({
        id,
        is_admin: roles.length > 0,
        roles: [...roles],
        sealed: sealIdentity(keys, id, identity),
        email_index: emailIndex(keys, identity.email),
        ...unlockedColumns(keys, id, password),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return false;
    if (doctor) {
      await trx
        .insertInto('doctors')
        .values({ user_id: id, ...doctor })
        .execute();
    }
    return true;
  });
}

/** The secret columns of an account whose reviews are not locked. */
export const unlockedColumns = (keys: Keys, id: string, password: DerivedPassword) => ({
  ...passwordColumns(password, null),
  recovery_secret: noSecret(),
  author_salt: sealAuthorSalts(keys, id, firstSalt(keys)),
});

/**
 * Whether an account has the email address under any index key. With one key, the unique constraint
 * decides. During a key rotation, two servers may use different keys, so they take locks: the
 * second one sees what the first one committed.
 */
export async function isTaken(keys: Keys, trx: Db, email: string): Promise<boolean> {
  const indexes = emailIndexes(keys, email);
  if (indexes.length === 1) return false;
  await holdIndexes(trx, indexes);
  // A separate statement sees what was committed while waiting.
  return (await findAccountByEmail(trx, indexes)) !== undefined;
}

export async function updateAccount(trx: Db, userId: string, change: Updateable<DB['users']>) {
  await trx.updateTable('users').set(change).where('id', '=', userId).execute();
}

/** Deletes the account and its doctor profile. */
export async function deleteAccount(trx: Db, userId: string) {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}

export async function updateDoctor(db: Db, userId: string, change: Updateable<DB['doctors']>) {
  await db.updateTable('doctors').set(change).where('user_id', '=', userId).execute();
}

/** Stores a locked doctor's evidence, and the resulting permissions. */
export async function updateVerification(
  keys: Keys,
  trx: Db,
  { user, identity }: { user: { id: string }; identity: Identity },
  evidence: Evidence,
  change: Updateable<DB['doctors']>,
): Promise<void> {
  const sealed = sealIdentity(keys, user.id, { ...identity, evidence });
  await updateAccount(trx, user.id, { sealed });
  await updateDoctor(trx, user.id, change);
}

/**
 * Allows posting again for doctors whose pause is over. The pause starts when an account with the
 * same NPI leaves reviews behind.
 */
export async function endPostingPauses(db: Db, today: string): Promise<void> {
  await db
    .updateTable('doctors')
    .set({ posting_from: null, can_post_reviews: sql.ref('verified') })
    .where('posting_from', '<=', today)
    .execute();
}
