import { randomUUID } from 'node:crypto';
import type { Employer } from '#contract/employers/employers.ts';
import { ERRORS } from '#contract/errors.ts';
import type {
  Representative,
  RepresentativeDetails,
  RepresentativeFile,
  RepresentativeState,
} from '#contract/replies/representatives.ts';
import { type Clock, toDay } from '#server/anonymity/coarse-time.ts';
import { openCase, ownProofRequest, versionOf } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { domainOf, isPublicProvider, registrableDomain } from '#server/email-domains.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { DerivedPassword } from '#server/features/accounts/credentials/passwords.ts';
import {
  type AccountRow,
  findAccounts,
} from '#server/features/accounts/identity/account-queries.ts';
import { insertAccount } from '#server/features/accounts/identity/account-writes.ts';
import { openIdentity } from '#server/features/accounts/identity/identity.ts';
import {
  insertRepresentative,
  lockRepresentative,
  recheckApproved,
  selectRepresentative,
  selectRepresentativePage,
  selectRepresentatives,
} from '#server/features/accounts/identity/representative-queries.ts';
import type { Representatives } from '#server/features/accounts/signup/signup.ts';
import { employersByAnyId, listedByAnyId } from '#server/features/employers/employers.ts';
import { currentId } from '#server/features/employers/queries.ts';

/** The registrable domain of a mailbox (Public Suffix List), or its domain. */
const mailboxDomain = (email: string): string =>
  registrableDomain(domainOf(email)) ?? domainOf(email);

/** Throws `employer_mailbox` for a mailbox that anyone can get. */
function requireEmployersMailbox(email: string): void {
  if (!isPublicProvider(domainOf(email))) return;
  throw elsewhere(ERRORS.employer_mailbox.text);
}

/**
 * A curator approved the representative for a mailbox at one domain, so a new address must be at
 * the same domain. Throws `employer_mailbox`.
 */
export async function requireSameDomain(
  db: Db,
  userId: string,
  before: string,
  after: string,
): Promise<void> {
  if (mailboxDomain(before) === mailboxDomain(after)) return;
  if (!(await selectRepresentative(db, userId))) return;
  throw elsewhere(`A representative’s address must stay at ${mailboxDomain(before)}.`);
}

const elsewhere = (message: string) =>
  new AppError('employer_mailbox', { fields: { email: [message] } });

/** The account's own representation; null if there is none. */
export async function ownRepresentation(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userId: string,
): Promise<Representative | null> {
  const file = await representativeFile({ db, keys }, userId);
  const row = await selectRepresentative(db, userId);
  if (!file || !row) return null;
  const { id, name, city, state } = file.employer;
  const { work_title } = file;
  const asked = await ownProofRequest(db, userId);
  const { reason } = row;
  return { state: file.state, employer: { id, name, city, state }, work_title, reason, asked };
}

/** A representative's details, along with the employer's; null for all other accounts. */
export async function representativeFile(
  deps: Pick<Deps, 'db' | 'keys'>,
  userId: string,
): Promise<RepresentativeFile | null> {
  const [file] = await representativeFiles(deps, [userId]);
  return file ?? null;
}

/** The same for several accounts, in the order of their ids. */
async function representativeFiles(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
): Promise<RepresentativeFile[]> {
  const [rows, accounts] = await Promise.all([
    selectRepresentatives(db, userIds),
    findAccounts(db, userIds),
  ]);
  const employers = await employersByAnyId(
    db,
    rows.map(({ employer_id }) => employer_id),
  );
  return userIds.flatMap((userId) => {
    const row = rows.find(({ user_id }) => user_id === userId);
    const account = accounts.find(({ id }) => id === userId);
    const employer = row && employers.get(row.employer_id);
    return row && account && employer ? [toFile(keys, account, row, employer)] : [];
  });
}

function toFile(
  keys: Deps['keys'],
  { id, sealed }: Pick<AccountRow, 'id' | 'sealed'>,
  { state }: { state: string },
  employer: Employer,
): RepresentativeFile {
  const { email, first_name, last_name, work_title = '' } = openIdentity(keys, id, sealed);
  return {
    user: { id, email, first_name, last_name },
    work_title,
    state: state as RepresentativeState,
    employer,
    mailbox_domain: mailboxDomain(email),
    employer_domain: employer.website === null ? null : registrableDomain(employer.website),
    version: versionOf(
      [email, first_name, last_name, work_title, state],
      [employer.id, employer.name, employer.website, employer.phone],
    ),
  };
}

/** The employers that these accounts represent, by account, approved or not. */
export async function representedEmployers(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, Employer>> {
  const rows = await selectRepresentatives(db, userIds);
  const employers = await employersByAnyId(
    db,
    rows.map(({ employer_id }) => employer_id),
  );
  return new Map(
    rows.flatMap(({ user_id, employer_id }) => {
      const employer = employers.get(employer_id);
      return employer ? [[user_id, employer]] : [];
    }),
  );
}

/**
 * Locks an approved representative until the transaction ends, and returns the id of the employer,
 * or of the one it was merged into. Throws `not_representative`.
 */
export async function holdRepresentative(trx: Db, userId: string): Promise<number> {
  const row = await lockRepresentative(trx, userId);
  if (row?.state !== 'approved') throw new AppError('not_representative');
  return currentId(trx, row.employer_id);
}

/**
 * Returns the representatives of employers that are about to be merged, or whose merge is undone, to
 * the curators: they were approved for one employer, and would now speak for another.
 */
export async function recheckRepresentatives(
  trx: Db,
  clock: Clock,
  employerIds: readonly number[],
): Promise<void> {
  for (const account_id of await recheckApproved(trx, employerIds)) {
    await openCase(trx, clock, { kind: 'representative', subject: { account_id }, priority: 2 });
  }
}

/** The employer of an approved representative, without a lock. Throws `not_representative`. */
export async function representedEmployer(db: Db, userId: string): Promise<number> {
  const row = await selectRepresentative(db, userId);
  if (row?.state !== 'approved') throw new AppError('not_representative');
  return currentId(db, row.employer_id);
}

/** One page of all representatives, for curators, and the number on all pages. */
export async function listRepresentatives(
  deps: Pick<Deps, 'db' | 'keys'>,
  page: { page: number; page_size: number },
): Promise<{ results: RepresentativeFile[]; count: number }> {
  const { rows, count } = await selectRepresentativePage(deps.db, page);
  const results = await representativeFiles(
    deps,
    rows.map(({ user_id }) => user_id),
  );
  return { results, count };
}

/** How an employer's representative signs up. */
export const representativeSignup = (
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
): Representatives => ({
  check: (details) => checkRepresentative(deps, details),
  insert: (trx, details, password) => insertRepresentativeAccount(deps, trx, details, password),
});

/**
 * Throws `employer_mailbox` for a free mailbox, and `validation_error` if the employer does not
 * exist.
 */
async function checkRepresentative(
  { db }: Pick<Deps, 'db'>,
  { email, employer }: Pick<RepresentativeDetails, 'email' | 'employer'>,
): Promise<void> {
  requireEmployersMailbox(email);
  if ((await listedByAnyId(db, [employer])).has(employer)) return;
  throw new AppError('validation_error', {
    fields: { employer: ['There is no such employer'] },
  });
}

/**
 * Adds a representative's account and a case for a curator, and returns the account's id; null if
 * the email address is taken. The mailbox has been confirmed.
 */
export async function insertRepresentativeAccount(
  deps: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  { email, first_name, last_name, work_title, employer }: Omit<RepresentativeDetails, 'password'>,
  password: DerivedPassword,
): Promise<string | null> {
  const id = randomUUID();
  const identity = {
    email,
    first_name,
    last_name,
    work_title,
    npi: null,
    username: `rep-${randomUUID().slice(0, 8)}`,
    joined_on: toDay(deps.clock()),
  };
  if (!(await insertAccount(deps, trx, identity, { id, password }))) return null;
  await insertRepresentative(trx, id, employer);
  await openCase(trx, deps.clock, {
    kind: 'representative',
    subject: { account_id: id },
    priority: 2,
  });
  return id;
}
