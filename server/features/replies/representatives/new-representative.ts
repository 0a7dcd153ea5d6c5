import { randomUUID } from 'node:crypto';
import type { RepresentativeDetails } from '#contract/replies/representatives.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { DerivedPassword } from '#server/features/accounts/credentials/passwords.ts';
import { insertAccount } from '#server/features/accounts/identity/account-writes.ts';
import { insertRepresentative } from '#server/features/accounts/identity/representative-queries.ts';
import type { Representatives } from '#server/features/accounts/signup/signup.ts';
import { listedByAnyId } from '#server/features/employers/employers.ts';
import { requireEmployersMailbox } from './mailbox.ts';

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
