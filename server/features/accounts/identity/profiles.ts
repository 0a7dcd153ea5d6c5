import type { User } from '#contract/accounts/accounts.ts';
import type { Role } from '#contract/staff-roles.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { pendingEmail } from '#server/features/accounts/mail-links.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  findAccounts,
  findAccountsByNpi,
  findAdminAccounts,
  findFormerAdminAccounts,
  holdIndexes,
  lockAccount,
} from './account-queries.ts';
import {
  emailIndexes,
  type Identity,
  npiIndexes,
  openIdentity,
  type Profile,
  toProfile,
} from './identity.ts';

/** The profile of an account; null if it does not exist. */
export async function loadProfile(keys: Keys, db: Db, userId: string): Promise<Profile | null> {
  const row = await findAccount(db, userId);
  return row ? toProfile(keys, row) : null;
}

/** The profiles of the accounts that exist, in no particular order. */
export async function loadProfiles(
  keys: Keys,
  db: Db,
  userIds: readonly string[],
): Promise<Profile[]> {
  const rows = userIds.length > 0 ? await findAccounts(db, userIds) : [];
  return rows.map((row) => toProfile(keys, row));
}

/** The profile as its owner sees it. */
export interface OwnProfile extends Profile {
  user: User;
}

export async function toOwnProfile(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  row: AccountRow,
): Promise<OwnProfile> {
  const { user, doctor } = toProfile(deps.keys, row);
  return { user: { ...user, pending_email: await pendingEmail(deps, db, row.id) }, doctor };
}

/** Throws `authentication_required` if the account was deleted during the request. */
export async function ownProfile(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<OwnProfile> {
  const row = await findAccount(deps.db, userId);
  if (!row) throw new AppError('authentication_required');
  return toOwnProfile(deps, deps.db, row);
}

/** A doctor's account, with all evidence of verification. */
export interface HeldDoctor extends Profile {
  doctor: Doctor;
  npi: string;
  evidence: Evidence;
  identity: Identity;
}

/** Locks a doctor's account until the transaction ends; null if it is not a doctor's. */
export async function holdDoctor(keys: Keys, trx: Db, userId: string): Promise<HeldDoctor | null> {
  return (await lockAccount(trx, userId)) ? readDoctor(keys, trx, userId) : null;
}

/** Like `holdDoctor`, without a lock. */
export async function readDoctor(keys: Keys, db: Db, userId: string): Promise<HeldDoctor | null> {
  const row = await findAccount(db, userId);
  return row ? toHeldDoctor(keys, row) : null;
}

function toHeldDoctor(keys: Keys, row: AccountRow): HeldDoctor | null {
  const { user, doctor } = toProfile(keys, row);
  const identity = openIdentity(keys, row.id, row.sealed);
  const { npi, evidence = NO_EVIDENCE } = identity;
  return doctor && npi !== null ? { user, doctor, npi, evidence, identity } : null;
}

/** The doctors who name an NPI, verified ones first. */
export async function selectByNpi(keys: Keys, db: Db, npi: string): Promise<HeldDoctor[]> {
  const rows = await findAccountsByNpi(db, npiIndexes(keys, npi));
  return rows.flatMap((row) => toHeldDoctor(keys, row) ?? []);
}

/** How many accounts may verify doctors. */
export const countVerifiers = async (db: Db) =>
  (await findAdminAccounts(db)).filter(({ roles }) => roles.includes('verifier')).length;

/** With only one, nobody else can decide an appeal. */
export const countModerators = async (db: Db) =>
  (await findAdminAccounts(db)).filter(({ roles }) => roles.includes('moderator')).length;

/** Locks an NPI until the transaction ends. */
export const holdNpi = (keys: Keys, trx: Db, npi: string) =>
  holdIndexes(trx, npiIndexes(keys, npi));

const ACCOUNT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NPI = /^\d{10}$/;

/**
 * Finds an account by id, NPI, or email address; null if there is none. Throws OperatorError if
 * several unverified accounts name the NPI.
 */
export async function findProfile(keys: Keys, db: Db, who: string): Promise<Profile | null> {
  if (NPI.test(who)) {
    const [first, ...others] = await selectByNpi(keys, db, who);
    if (first?.doctor.verified || others.length === 0) return first ?? null;
    const ids = [first, ...others].map((doctor) => doctor?.user.id).join('\n');
    throw new OperatorError(
      `several accounts name this NPI. Use one of these ids instead:\n${ids}`,
    );
  }
  const row = await (ACCOUNT_ID.test(who)
    ? findAccount(db, who)
    : findAccountByEmail(db, emailIndexes(keys, who)));
  return row ? toProfile(keys, row) : null;
}

/** All staff accounts, with their appointed roles. */
export async function findStaff(keys: Keys, db: Db) {
  const rows = await findAdminAccounts(db);
  return rows.map((row) => ({ ...toProfile(keys, row).user, roles: row.appointed as Role[] }));
}

/** All former staff accounts. */
export async function findFormerStaff(keys: Keys, db: Db) {
  const rows = await findFormerAdminAccounts(db);
  return rows.map((row) => ({ ...toProfile(keys, row).user, roles: [] }));
}
