import type { AccountDeletionRequest, AccountExport } from '#contract/account-data.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { ownProofRequest } from '#server/cases/asked.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import { ownProfile } from '#server/features/accounts/session/own-profile.ts';
import {
  proveFreshness,
  provePassword,
  wrongPassword,
} from '#server/features/accounts/session/prove-password.ts';
import { ownRepresentation } from '#server/features/replies/representatives/representatives.ts';
import { leaveReviews } from '#server/features/reviews/departed-authors.ts';
import { ownReviews } from '#server/features/reviews/moderation/own-reviews.ts';
import { readSaved } from '#server/features/saved/saved.ts';
import { holdClaim } from '#server/features/verification/claims.ts';
import { leaveNpi, ownLetter } from '#server/features/verification/verification.ts';
import { rewriteSoon } from '#server/jobs/queue.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { eraseAccount } from './erase-account.ts';

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
