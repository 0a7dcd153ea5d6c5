import { randomUUID } from 'node:crypto';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  findAccount,
  findAccountByEmail,
  findAccountByNpi,
  findAdminAccounts,
  lockAccount,
} from './account-queries.ts';
import { emailIndexes, npiIndexes } from './identity.ts';
import { addAccount, type NewProfile } from './new-account.ts';
import { insertDoctor } from './new-doctor.ts';
import { setPassword } from './password-change.ts';
import { hashPassword, passwordMatches, unusablePassword } from './passwords.ts';
import { type Profile, toProfile } from './profile.ts';

/** An account as its own holder sees it, opened; null when it is gone. */
export async function loadProfile(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  userId: string,
): Promise<Profile | null> {
  const row = await findAccount(db, userId);
  return row ? toProfile(keys, row) : null;
}

/** As `loadProfile`; the account is held for a change until the transaction ends. */
export async function holdProfile(
  deps: Pick<Deps, 'keys'>,
  trx: Db,
  userId: string,
): Promise<Profile | null> {
  return (await lockAccount(trx, userId)) ? loadProfile(deps, trx, userId) : null;
}

const ACCOUNT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NPI = /^\d{10}$/;

/** Whom an operator means by an account id, an NPI or an e-mail address; null when nobody. */
export async function findProfile(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  who: string,
): Promise<Profile | null> {
  const row = await (ACCOUNT_ID.test(who)
    ? findAccount(db, who)
    : NPI.test(who)
      ? findAccountByNpi(db, npiIndexes(keys, who))
      : findAccountByEmail(db, emailIndexes(keys, who)));
  return row ? toProfile(keys, row) : null;
}

/** Whether the account is still there: it may be deleted while one of its requests is under way. */
export async function accountExists(db: Db, userId: string): Promise<boolean> {
  return (await findAccount(db, userId)) !== undefined;
}

/** All administrators. */
export async function findAdmins({ keys }: Pick<Deps, 'keys'>, db: Db): Promise<Profile[]> {
  return (await findAdminAccounts(db)).map((row) => toProfile(keys, row));
}

export async function hasPassword(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  password: string,
): Promise<boolean> {
  const account = await findAccount(db, userId);
  return passwordMatches(account?.password_hash ?? null, password);
}

/** Gives an account this password, unless it has it, and ends what the old one began. */
export async function replacePassword(
  deps: Pick<Deps, 'db' | 'keys' | 'jobs'>,
  userId: string,
  password: string,
): Promise<void> {
  if (await hasPassword(deps, userId, password)) return;
  const passwordHash = await hashPassword(password);
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (account) await setPassword(deps, trx, account, passwordHash);
  });
}

interface NewAccount {
  email: string;
  first_name: string;
  last_name: string;
  /** Null: nobody can sign in to it. */
  password: string | null;
}

interface NewDoctor extends NewAccount {
  npi: string;
  profile?: NewProfile;
}

/** Adds a doctor's account and returns its id. Throws when the address or NPI is taken. */
export async function addDoctor(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  { password, profile = {}, ...details }: NewDoctor,
): Promise<string> {
  const hash = await (password === null ? unusablePassword() : hashPassword(password));
  const id = await insertDoctor(deps, deps.db, details, hash, profile);
  if (!id) throw new Error('that e-mail address or NPI has an account already');
  return id;
}

/** Adds an administrator's account and returns its id. Throws when the address is taken. */
export async function addAdmin(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  { password, email, first_name, last_name }: NewAccount,
): Promise<string> {
  const id = randomUUID();
  const identity = {
    email,
    first_name,
    last_name,
    username: `admin-${id.slice(0, 8)}`,
    npi: null,
    joined_on: toDay(deps.clock()),
  };
  const password_hash = await (password === null ? unusablePassword() : hashPassword(password));
  const user = { id, password_hash, is_admin: true };
  const added = await addAccount(deps, deps.db, identity, user, null);
  if (!added) throw new Error('that e-mail address has an account already');
  return id;
}
