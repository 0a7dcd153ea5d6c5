import { ERRORS } from '#contract/errors.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { selectRepresentative } from '#server/features/accounts/identity/representative-queries.ts';
import { isPublicProvider } from '#server/public-mail-providers.ts';
import { registrableDomain } from '#server/registrable-domain.ts';

const hostOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The registrable domain of a mailbox (Public Suffix List), or its host. */
export const mailboxDomain = (email: string): string =>
  registrableDomain(hostOf(email)) ?? hostOf(email);

/** Throws `employer_mailbox` for a mailbox that anyone can get. */
export function requireEmployersMailbox(email: string): void {
  if (!isPublicProvider(hostOf(email))) return;
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
