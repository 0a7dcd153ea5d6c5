import { sql } from 'kysely';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError, unavailable } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import {
  findAccount,
  findAccountByEmail,
  findAccountByNpi,
  findAdminAccounts,
  lockAccount,
} from './account-queries.ts';
import { openAuthorSalt } from './author-salt.ts';
import { emailIndexes, npiIndexes } from './identity.ts';
import { setPassword } from './password-change.ts';
import { hashPassword, openPassword } from './passwords.ts';
import { type Profile, toProfile } from './profile.ts';
import { findCaller } from './session-queries.ts';
import { accountKey } from './sessions.ts';

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
  return (await openPassword(account?.password_hash ?? null, password)) !== null;
}

/**
 * Gives an account this password, unless it has it, and ends what the old one began. Reviews that
 * the account has locked then belong to nobody: the old password alone unwraps their secret.
 */
export async function replacePassword(
  deps: Pick<Deps, 'db' | 'keys' | 'jobs'>,
  userId: string,
  password: string,
): Promise<void> {
  if (await hasPassword(deps, userId, password)) return;
  const derived = await hashPassword(password);
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (account) await setPassword(deps, trx, account, { password: derived, authorSecret: null });
  });
}

type HoldDeps = Pick<Deps, 'keys' | 'clock'>;

const RETRY_AFTER_SECONDS = 1;

/**
 * Holds who the caller is to votes and reports until the transaction ends, beside other requests of
 * the same author (hold_author keeps them apart). Throws as `confirmCaller` does.
 */
export async function holdCaller(deps: HoldDeps, trx: Db, caller: Caller): Promise<void> {
  // In the order of hold_author.
  const keys = caller.author.keys.toSorted(Buffer.compare);
  const ids = keys.map((key) => key.readBigInt64BE());
  await sql`
    select pg_advisory_xact_lock_shared(id) from unnest(${ids.map(String)}::bigint[]) as id
  `.execute(trx);
  await confirmCaller(deps, trx, caller);
}

/**
 * Looks again, while the author is held: whatever changes who the caller is (a lock, an unlock, the
 * end of the account) ends all sessions. Throws `authentication_required`, and `unavailable` when a
 * log-in has just renewed the salt.
 */
export async function confirmCaller(
  { keys, clock }: HoldDeps,
  trx: Db,
  { userId, sessionId, author }: Caller,
): Promise<void> {
  const account = await findCaller(trx, {
    userId,
    sessionId,
    accountKey: accountKey(keys, userId),
    today: toDay(clock()),
  });
  if (!account) throw new AppError('authentication_required');
  if (!author.salt) return;
  const { salt } = openAuthorSalt(keys, userId, account.authorSalt);
  if (!salt.equals(author.salt)) throw unavailable(RETRY_AFTER_SECONDS);
}
