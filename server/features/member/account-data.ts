import type { AccountDeletionRequest, AccountExport } from '#contract/member/account-data.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { ownProofRequest } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  type HeldAccount,
  lockAccount,
} from '#server/features/accounts/identity/account-queries.ts';
import { deleteAccount } from '#server/features/accounts/identity/account-writes.ts';
import { isSameAddress, openIdentity } from '#server/features/accounts/identity/identity.ts';
import { ownProfile } from '#server/features/accounts/identity/profiles.ts';
import { changingStaff } from '#server/features/accounts/identity/staff.ts';
import {
  dropLinks,
  dropUndoLinksFrom,
  pendingEmail,
  undoAddresses,
} from '#server/features/accounts/mail-links.ts';
import {
  confirmCaller,
  proveFreshness,
  provePassword,
  wrongPassword,
} from '#server/features/accounts/session/authentication.ts';
import { endSessionsOf } from '#server/features/accounts/session/sessions.ts';
import { ownRepresentation } from '#server/features/replies/representatives/representatives.ts';
import { leaveReviews } from '#server/features/reviews/departed-authors.ts';
import { ownReviews } from '#server/features/reviews/moderation/own-reviews.ts';
import { readSaved } from '#server/features/saved/saved.ts';
import { holdClaim } from '#server/features/verification/claims.ts';
import { leaveNpi, ownLetter } from '#server/features/verification/verification.ts';
import { type JobQueue, rewriteSoon } from '#server/jobs/queue.ts';
import type { Job } from '#server/jobs/settings.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';

/**
 * Exports all of the account's data for its owner. Throws `confirm_password` if the login is not
 * recent and no password is given.
 */
export async function exportAccount(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  limits: RateLimits,
  caller: Caller,
  password?: string,
): Promise<AccountExport> {
  const { userId } = caller;
  await proveFreshness(deps, limits, caller, password);
  const { user, doctor } = await ownProfile(deps, userId);
  const representative = await ownRepresentation(deps, userId);
  const reviews = await ownReviews(deps, caller.author);
  const letter = await ownLetter(deps, userId);
  const saved = await readSaved(deps, userId);
  const asked = await ownProofRequest(deps.db, userId);
  const exported_on = toDay(deps.clock());
  return { exported_on, user, doctor, representative, letter, asked, reviews, saved };
}

/**
 * Deletes the account and all its personal data immediately. Its reviews are deleted immediately,
 * deleted one by one, or kept. Kept reviews get random author keys, so that nobody can claim them
 * or tell that one person wrote them.
 */
export async function removeAccount(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>,
  limits: RateLimits,
  caller: Caller,
  { password, reviews }: AccountDeletionRequest,
): Promise<void> {
  const { db } = deps;
  const { userId } = caller;
  const proven = await provePassword(deps, limits, userId, 'password', password);
  await inTransaction(db, async (trx) => {
    const leaver = await holdClaim(deps.keys, trx, userId);
    const account = await lockAccount(trx, userId);
    if (account?.password_hash !== proven.hash) throw wrongPassword('password');
    const left = await leaveReviews({ ...deps, db: trx }, caller.author, reviews);
    if (leaver && left > 0 && reviews !== 'delete') {
      await leaveNpi(deps, trx, leaver, reviews);
      // Until the rewrite, the transaction id links the NPI tombstone to these reviews.
      await rewriteSoon(deps, trx);
    }
    await confirmCaller(deps, trx, caller);
    await eraseAccount(deps, trx, account);
  });
}

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
  await dropLinks(keys, trx, userId);
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
