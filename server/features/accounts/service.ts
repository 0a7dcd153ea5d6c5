import type { Doctor } from '#contract/doctors.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { OperatorError } from '#server/operator-error.ts';
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
  endPostingPauses,
  lockDoctor,
  selectDoctorIds,
  UNVERIFIED,
  updateDoctor,
} from './identity/doctor-queries.ts';
import {
  emailIndexes,
  type Identity,
  npiIndexes,
  openIdentity,
  sealIdentity,
  verifiedName,
} from './identity/identity.ts';
import { type Profile, toProfile } from './identity/profile.ts';
import { confirmCaller, holdCaller } from './session/hold-caller.ts';

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

/** Stores the evidence of a doctor who is held, and what follows from it. */
export async function updateVerification(
  { keys }: Pick<Deps, 'keys'>,
  trx: Db,
  { user, identity }: HeldDoctor,
  evidence: Evidence,
  change: Parameters<typeof updateDoctor>[2],
): Promise<void> {
  const sealed = sealIdentity(keys, user.id, { ...identity, evidence });
  await updateAccount(trx, user.id, { sealed });
  await updateDoctor(trx, user.id, change);
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

/** What other features use of this one's folders. */
export {
  confirmCaller,
  endPostingPauses,
  holdCaller,
  lockDoctor,
  selectDoctorIds,
  UNVERIFIED,
  updateDoctor,
  verifiedName,
};
