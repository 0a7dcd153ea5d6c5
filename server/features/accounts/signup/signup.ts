import { randomUUID } from 'node:crypto';
import type { LoginResponse, SignupDetails } from '#contract/accounts/accounts.ts';
import { MINUTE_MS, OTP_TTL_MS } from '#contract/limits.ts';
import type { RepresentativeDetails } from '#contract/replies/representatives.ts';
import type { Role } from '#contract/staff-roles.ts';
import { hasValidCheckDigit } from '#contract/verification/doctors.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  type DerivedPassword,
  hashPassword,
  refuseCommonPassword,
  unusablePassword,
} from '#server/features/accounts/credentials/passwords.ts';
import { toOwnProfile } from '#server/features/accounts/identity/profiles.ts';
import { isReserved } from '#server/features/accounts/mail-links.ts';
import { openSession } from '#server/features/accounts/session/sessions.ts';
import type { MailJob } from '#server/mail/templates.ts';
import type { Network } from '#server/rate-limits/limits.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { findAccount, findAccountByEmail } from '../identity/account-queries.ts';
import { insertAccount, insertDoctor, type Standing } from '../identity/account-writes.ts';
import { emailIndexes } from '../identity/identity.ts';
import { changingStaff } from '../identity/staff.ts';
import {
  type CorrectCode,
  detailsKeyOf,
  issueCode,
  type NewAccount,
  reissueCode,
  takeCode,
} from './one-time-codes.ts';

type RepresentativeAccount = Omit<RepresentativeDetails, 'password'>;

/** How an employer's representative signs up. */
export interface Representatives {
  /** Throws if nobody can represent this employer with this address. */
  check(details: Pick<RepresentativeDetails, 'email' | 'employer'>): Promise<void>;
  /** Adds the account and returns its id; null if the email address is taken. */
  insert(
    trx: Db,
    details: RepresentativeAccount,
    password: DerivedPassword,
  ): Promise<string | null>;
}

/** Checks that the schema cannot make: the NPI's check digit, and common passwords. */
export function checkDetails({ npi, password }: Pick<SignupDetails, 'npi' | 'password'>): void {
  if (!hasValidCheckDigit(npi)) {
    const fields = { npi: ['Please enter a valid NPI number'] };
    throw new AppError('validation_error', { fields });
  }
  refuseCommonPassword('password', password);
}

/** First step: stores only a code for the details, and mails it. */
export async function sendCode(deps: Deps, details: NewAccount): Promise<void> {
  const detailsKey = await detailsKeyOf(deps, details);
  await mailCode(deps, details.email, (trx) => issueCode(deps, trx, details.email, detailsKey));
}

/** Mails a new code, valid for every pending sign-up of the address. */
export function sendCodeAgain(deps: Deps, email: string): Promise<void> {
  return mailCode(deps, email, (trx) => reissueCode(deps, trx, email));
}

/**
 * Mails a code. Only the mail says whether the address already has an account or has no pending
 * sign-up: response and timing are the same.
 */
async function mailCode(deps: Deps, to: string, makeCode: (trx: Db) => Promise<string | null>) {
  await inTransaction(deps.db, async (trx) => {
    const account = await findAccountByEmail(trx, emailIndexes(deps.keys, to));
    // Always queried, so that timing does not depend on the address.
    const isFormer = await isReserved(deps, trx, to);
    const taken = account ? 'email' : isFormer ? 'former-email' : null;
    await deps.jobs.enqueue(trx, 'send-mail', mailOf(to, taken, await makeCode(trx)));
  });
}

function mailOf(to: string, taken: 'email' | 'former-email' | null, code: string | null): MailJob {
  if (taken) return { to, template: 'signup-attempted', props: { what: taken } };
  if (code === null) return { to, template: 'signup-over', props: {} };
  return { to, template: 'signup-code', props: { code, minutes: OTP_TTL_MS / MINUTE_MS } };
}

/**
 * Second step: creates the account with a correct code. Other codes for the address stay until they
 * expire: without them, a stranger's attempt would take less time. An address taken in the meantime
 * looks like a wrong code. Other accounts may have the same NPI: an error would reveal who is a
 * member. Throws `invalid_code`.
 */
export async function createAccount(
  deps: Deps,
  representatives: Representatives,
  details: NewAccount,
  code: CorrectCode,
): Promise<LoginResponse> {
  const password = await hashPassword(deps, details.password);
  const userId = await inTransaction(deps.db, async (trx) => {
    if (!(await takeCode(trx, code.detailsKey, code.sealed))) return null;
    return insertKind(deps, representatives, trx, details, password);
  });
  const tokens = userId && (await openSession(deps, userId, password));
  const row = userId && (await findAccount(deps.db, userId));
  if (!tokens || !row) throw new AppError('invalid_code');
  return { ...tokens, ...(await toOwnProfile(deps, deps.db, row)) };
}

/** The registry checks a doctor; a curator checks a representative. */
async function insertKind(
  deps: Deps,
  representatives: Representatives,
  trx: Db,
  details: NewAccount,
  password: DerivedPassword,
) {
  if (!('npi' in details)) return representatives.insert(trx, details, password);
  const userId = await insertDoctor(deps, trx, details, password);
  if (userId) await deps.jobs.enqueue(trx, 'verify-npi', { userId });
  return userId;
}

/**
 * Counts a sign-up code before it is sent. A network's first code for an address has a separate
 * limit, so that repeated requests by one network do not block others. Accounts are limited only by
 * their codes: a count of new accounts would show everyone on the network how many have joined.
 */
export async function takeCodeMail(limits: RateLimits, address: string, network: Network) {
  const taken: Budget[] = [];
  const take = async (...budget: Budget) => {
    const count = await limits.take(...budget);
    taken.push(budget);
    return count;
  };
  try {
    await take('codeMailNetwork', '', network);
    await take('codeMailNetworkDay', '', network);
    const isFirst = (await take('codeMail', address, network)) === 1;
    await take(isFirst ? 'codeMailFirst' : 'codeMailMore', address);
  } catch (error) {
    // No mail is sent, so nothing is counted.
    for (const budget of taken) await limits.giveBack(...budget);
    throw error;
  }
}

interface NewPerson {
  email: string;
  first_name: string;
  last_name: string;
  /** If null, nobody can sign in. */
  password: string | null;
}

const TAKEN = 'that email address already has an account';

const derive = (deps: Pick<Deps, 'config'>, password: string | null) =>
  password === null ? unusablePassword(deps) : hashPassword(deps, password);

/** Adds a doctor's account and returns its id. Throws if the email address is taken. */
export async function addDoctor(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  { password, profile = {}, evidence, ...details }: NewPerson & Standing & { npi: string },
): Promise<string> {
  const standing = { profile, ...(evidence && { evidence }) };
  const id = await insertDoctor(deps, deps.db, details, await derive(deps, password), standing);
  if (!id) throw new Error(TAKEN);
  return id;
}

/**
 * Adds a staff account and returns its id. Throws if the email address is taken. The only
 * administrator of an office of one has all roles, but still needs at least one.
 */
export async function addAdmin(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  { password, roles, ...person }: NewPerson & { roles: readonly Role[] },
): Promise<string> {
  const id = randomUUID();
  const username = `admin-${id.slice(0, 8)}`;
  const identity = { ...person, username, npi: null, joined_on: toDay(deps.clock()) };
  const user = { id, password: await derive(deps, password), roles };
  const isAdded = await changingStaff(() => insertAccount(deps, deps.db, identity, user));
  if (!isAdded) throw new Error(TAKEN);
  return id;
}
