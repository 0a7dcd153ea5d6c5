import type { Employer } from '#contract/employers/employers.ts';
import type {
  Representative,
  RepresentativeFile,
  RepresentativeState,
} from '#contract/replies/representatives.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { ownProofRequest } from '#server/cases/asked.ts';
import { openCase } from '#server/cases/cases.ts';
import { versionOf } from '#server/cases/version.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  type AccountRow,
  findAccounts,
} from '#server/features/accounts/identity/account-queries.ts';
import { openIdentity } from '#server/features/accounts/identity/identity.ts';
import {
  lockRepresentative,
  recheckApproved,
  selectRepresentative,
  selectRepresentativePage,
  selectRepresentatives,
} from '#server/features/accounts/identity/representative-queries.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import { currentId } from '#server/features/employers/queries.ts';
import { registrableDomain } from '#server/registrable-domain.ts';
import { mailboxDomain } from './mailbox.ts';

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
