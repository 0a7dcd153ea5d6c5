import { sql } from 'kysely';
import type { Doctor } from '#contract/doctors.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError, unavailable } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Caller } from '#server/plugins/access.ts';
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  findAccountsByNpi,
  findAdminAccounts,
  holdIndexes,
  lockAccount,
  updateAccount,
} from './identity/account-queries.ts';
import {
  emailIndexes,
  type Identity,
  npiIndexes,
  openIdentity,
  sealIdentity,
} from './identity/identity.ts';
import { type Profile, toProfile } from './identity/profile.ts';
import { openAuthorSalt } from './review-lock/author-salt.ts';
import { findCaller } from './session/session-queries.ts';
import { accountKey } from './session/sessions.ts';

/** An account as its own holder sees it, opened; null when it is gone. */
export async function loadProfile(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  userId: string,
): Promise<Profile | null> {
  const row = await findAccount(db, userId);
  return row ? toProfile(keys, row) : null;
}

/** A doctor's account, with all that verification has come to. */
export interface HeldDoctor extends Profile {
  doctor: Doctor;
  npi: string;
  evidence: Evidence;
  identity: Identity;
}

/** A doctor's account, held for a change until the transaction ends; null when there is none. */
export async function holdDoctor(
  deps: Pick<Deps, 'keys'>,
  trx: Db,
  userId: string,
): Promise<HeldDoctor | null> {
  return (await lockAccount(trx, userId)) ? readDoctor(deps, trx, userId) : null;
}

/** As `holdDoctor`, of somebody who only looks: it waits for nobody, and holds nobody up. */
export async function readDoctor(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  userId: string,
): Promise<HeldDoctor | null> {
  const row = await findAccount(db, userId);
  return row ? toHeldDoctor(keys, row) : null;
}

function toHeldDoctor(keys: Deps['keys'], row: AccountRow): HeldDoctor | null {
  const { user, doctor } = toProfile(keys, row);
  const identity = openIdentity(keys, row.id, row.sealed);
  const { npi, evidence = NO_EVIDENCE } = identity;
  return doctor && npi !== null ? { user, doctor, npi, evidence, identity } : null;
}

/** Writes down what verification has come to, for a doctor who is held. */
export function setEvidence(
  { keys }: Pick<Deps, 'keys'>,
  trx: Db,
  { user, identity }: HeldDoctor,
  evidence: Evidence,
): Promise<void> {
  const sealed = sealIdentity(keys, user.id, { ...identity, evidence });
  return updateAccount(trx, user.id, { sealed });
}

/** The accounts that name an NPI; whoever is verified comes first. */
export async function selectByNpi({ keys }: Pick<Deps, 'keys'>, db: Db, npi: string) {
  const rows = await findAccountsByNpi(db, npiIndexes(keys, npi));
  return rows.map((row) => toProfile(keys, row));
}

/** Makes whoever else decides about an NPI wait until the transaction ends. */
export const holdNpi = ({ keys }: Pick<Deps, 'keys'>, trx: Db, npi: string) =>
  holdIndexes(trx, npiIndexes(keys, npi));

const ACCOUNT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NPI = /^\d{10}$/;

/**
 * Whom an operator means by an account id, an NPI or an e-mail address; null when nobody. Throws
 * OperatorError when several accounts name an NPI and none of them is verified.
 */
export async function findProfile(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  who: string,
): Promise<Profile | null> {
  if (NPI.test(who)) {
    const [first, ...others] = await selectByNpi({ keys }, db, who);
    if (first?.doctor?.verified || others.length === 0) return first ?? null;
    const ids = [first, ...others].map((profile) => profile?.user.id).join('\n');
    throw new OperatorError(`several accounts name this NPI, say which by its id:\n${ids}`);
  }
  const row = await (ACCOUNT_ID.test(who)
    ? findAccount(db, who)
    : findAccountByEmail(db, emailIndexes(keys, who)));
  return row ? toProfile(keys, row) : null;
}

/** All administrators. */
export async function findAdmins({ keys }: Pick<Deps, 'keys'>, db: Db): Promise<Profile[]> {
  return (await findAdminAccounts(db)).map((row) => toProfile(keys, row));
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
