import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { HeldAccount } from '#server/features/accounts/identity/account-queries.ts';
import { deleteAccount } from '#server/features/accounts/identity/account-writes.ts';
import { isSameAddress, openIdentity } from '#server/features/accounts/identity/identity.ts';
import { changingStaff } from '#server/features/accounts/identity/staff.ts';
import { dropPendingEmail, pendingEmail } from '#server/features/accounts/links/pending-email.ts';
import { dropResetLinks } from '#server/features/accounts/links/reset-links.ts';
import { dropUndoLinksFrom, undoAddresses } from '#server/features/accounts/links/undo-links.ts';
import { endSessionsOf } from '#server/features/accounts/session/sessions.ts';
import type { Job } from '#server/jobs/payloads.ts';
import type { JobQueue } from '#server/jobs/queue.ts';

/**
 * Deletes a locked account and everything that names it, but not its reviews, votes, and reports.
 * Codes for its addresses expire: without them, a stranger's attempt would take less time.
 */
export async function eraseAccount(
  deps: Pick<Deps, 'keys' | 'clock'> & { readonly jobs: Pick<JobQueue, 'discard'> },
  trx: Db,
  account: HeldAccount,
): Promise<void> {
  const { keys, jobs } = deps;
  const { id: userId } = account;
  const { email } = openIdentity(keys, userId, account.sealed);
  const pending = await pendingEmail(deps, trx, userId);
  const former = await undoAddresses(keys, trx, userId);
  const addresses = [email, ...former, ...(pending === null ? [] : [pending])];
  await endSessionsOf(keys, trx, userId);
  await dropResetLinks(keys, trx, userId);
  await dropPendingEmail(keys, trx, userId);
  await dropUndoLinksFrom(keys, trx, userId);
  await jobs.discard(trx, (job) => names(job, userId, addresses));
  await changingStaff(() => deleteAccount(trx, userId));
}

/** Whether a job concerns the account or sends mail to one of its addresses. */
function names(job: Job, userId: string, addresses: readonly string[]): boolean {
  const isOne = (email: string) => addresses.some((address) => isSameAddress(address, email));
  switch (job.name) {
    case 'verify-npi':
    case 'mailbox-code':
    case 'saved-news':
      return job.payload.userId === userId;
    case 'send-mail':
      return isOne(job.payload.to);
    case 'password-reset':
      return isOne(job.payload.email);
    case 'reviews-due':
    case 'weekly-mail':
    case 'staff-digest':
    case 'retention':
    case 'rewrite':
    case 'refresh-titles':
      return false;
  }
}
