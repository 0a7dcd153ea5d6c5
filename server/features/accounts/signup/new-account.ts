import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { SignupDetails } from '#contract/accounts.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { isHeld } from '../email-change/undo-links.ts';
import { findAccountByEmail, holdIndexes, insertAccount } from '../identity/account-queries.ts';
import {
  emailIndex,
  emailIndexes,
  type Identity,
  npiIndex,
  sealIdentity,
} from '../identity/identity.ts';
import { type DerivedPassword, hashPassword, unusablePassword } from '../password/passwords.ts';
import { newAuthorSalt, sealAuthorSalt } from '../review-lock/author-salt.ts';
import { noSecret, passwordColumns } from '../review-lock/author-secret.ts';

type NewAccountDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/** The state of verification. By default, nothing is checked yet. */
interface Standing {
  profile?: Omit<Insertable<DB['doctors']>, 'user_id' | 'npi_index'>;
  evidence?: Evidence;
}

interface NewPerson {
  email: string;
  first_name: string;
  last_name: string;
  /** With null, nobody can sign in. */
  password: string | null;
}

/** Adds a doctor's account and returns its id. Throws if the email address is taken. */
export async function addDoctor(
  deps: NewAccountDeps,
  { password, profile, evidence, ...details }: NewPerson & Standing & { npi: string },
): Promise<string> {
  const standing = { ...(profile && { profile }), ...(evidence && { evidence }) };
  const id = await insertDoctor(deps, deps.db, details, await derive(password), standing);
  if (!id) throw new Error(TAKEN);
  return id;
}

/** Adds an administrator's account and returns its id. Throws if the email address is taken. */
export async function addAdmin(
  deps: NewAccountDeps,
  { password, ...person }: NewPerson,
): Promise<string> {
  const id = randomUUID();
  const username = `admin-${id.slice(0, 8)}`;
  const identity = { ...person, username, npi: null, joined_on: toDay(deps.clock()) };
  const user = { id, password: await derive(password), is_admin: true };
  if (!(await addAccount(deps, deps.db, identity, user))) throw new Error(TAKEN);
  return id;
}

const TAKEN = 'that email address already has an account';

const derive = (password: string | null) =>
  password === null ? unusablePassword() : hashPassword(password);

/** Adds a doctor's account and returns its id; null if the email address is taken. */
export async function insertDoctor(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  { email, first_name, last_name, npi }: Omit<SignupDetails, 'password'>,
  password: DerivedPassword,
  { profile = {}, evidence = NO_EVIDENCE }: Standing = {},
): Promise<string | null> {
  const id = randomUUID();
  const identity = {
    email,
    first_name,
    last_name,
    npi,
    // Random, and shown only to its owner.
    username: `dr-${randomUUID().slice(0, 8)}`,
    joined_on: toDay(deps.clock()),
    evidence,
  };
  const doctor = { npi_index: npiIndex(deps.keys, npi), ...profile };
  return (await addAccount(deps, db, identity, { id, password }, doctor)) ? id : null;
}

/**
 * False if another account has the email address, or changed away from it in the last days. Several
 * accounts may name the same NPI.
 */
function addAccount(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  identity: Identity,
  { id, password, is_admin = false }: { id: string; password: DerivedPassword; is_admin?: boolean },
  doctor: Omit<Insertable<DB['doctors']>, 'user_id'> | null = null,
): Promise<boolean> {
  const { keys } = deps;
  return inTransaction(db, async (trx) => {
    if (await isHeld(deps, trx, identity.email)) return false;
    if (await isTaken(keys, trx, identity.email)) return false;
    const user = {
      id,
      is_admin,
      sealed: sealIdentity(keys, id, identity),
      email_index: emailIndex(keys, identity.email),
      ...unlockedColumns(keys, id, password),
    };
    return insertAccount(trx, user, doctor);
  });
}

/** The secret columns of an account whose reviews are not locked. */
export const unlockedColumns = (keys: Keys, id: string, password: DerivedPassword) => ({
  ...passwordColumns(password, null),
  recovery_secret: noSecret(),
  author_salt: sealAuthorSalt(keys, id, newAuthorSalt(keys)),
});

/**
 * Whether an account has the email address under any index key. With one key, the unique constraint
 * decides. During a key rotation two servers may use different keys, so they take locks: the second
 * one sees what the first has committed.
 */
export async function isTaken(keys: Keys, trx: Db, email: string): Promise<boolean> {
  const indexes = emailIndexes(keys, email);
  if (indexes.length === 1) return false;
  await holdIndexes(trx, indexes);
  // A separate statement sees what was committed while waiting.
  return (await findAccountByEmail(trx, indexes)) !== undefined;
}
