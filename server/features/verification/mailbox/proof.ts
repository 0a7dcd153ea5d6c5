import { ERRORS } from '#contract/errors.ts';
import { MINUTE_MS, OTP_TTL_MS } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { rewriteSoon } from '#server/jobs/queue.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { deleteLetter } from '../letters/letter.ts';
import { holdProving, recordProof, wrongCode } from '../proofs.ts';
import { addMark, deleteCode, domainOf, issueCode, tryCode } from './codes.ts';
import { findDomain } from './domains.ts';
import { quotaOf, takeQuota } from './quota.ts';

type ProvingDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>;

/**
 * Mails a code to a mailbox at a listed institution. Does not check whether the mailbox has proven
 * another account: only someone who can read the code may learn that. Throws `mailbox_not_listed`,
 * `nothing_to_prove`, and `rate_limited`.
 */
export async function mailMailboxCode(
  deps: ProvingDeps,
  limits: RateLimits,
  { userId, author }: Caller,
  email: string,
): Promise<void> {
  const { db, jobs } = deps;
  const institution = await findDomain(db, domainOf(email));
  const isResidency = institution?.kind === 'residency';
  await inTransaction(db, (trx) => holdWantingMailbox(deps, trx, userId, isResidency));
  if (!institution) {
    const fields = { email: [ERRORS.mailbox_not_listed.text] };
    throw new AppError('mailbox_not_listed', { fields });
  }
  await limits.take('mailboxMail', author.writer);
  await inTransaction(db, async (trx) => {
    await holdWantingMailbox(deps, trx, userId, isResidency);
    const quota = quotaOf(deps, institution);
    const code = await issueCode(deps, trx, userId, { email, isResidency, quota });
    const job = { userId, to: email, code, minutes: OTP_TTL_MS / MINUTE_MS };
    await jobs.enqueue(trx, 'mailbox-code', job);
  });
}

/**
 * Like `holdProving`, for a doctor whom this mailbox can help: after a first proof, only a
 * residency mailbox helps a trainee.
 */
async function holdWantingMailbox(
  deps: ProvingDeps,
  trx: Db,
  userId: string,
  isResidency: boolean,
) {
  const { evidence } = await holdProving(deps, trx, userId);
  if (evidence.proofs.length > 0 && !isResidency) throw new AppError('nothing_to_prove');
}

/**
 * Accepts a mailbox's code as proof. Each mailbox can prove one account, once. After the domain's
 * quota, the proof waits for an administrator, even if the mailbox was used before; neither the answer
 * nor the mail says so. Throws `invalid_proof_code`, `mailbox_used`, and `nothing_to_prove`.
 */
export async function confirmMailbox(deps: ProvingDeps, userId: string, code: string) {
  // A rejected attempt also counts, so the error is thrown after the commit.
  const outcome = await inTransaction(deps.db, async (trx) => {
    await holdProving(deps, trx, userId);
    const proven = await tryCode(deps, trx, userId, code);
    if (!proven) return 'wrong';
    await holdWantingMailbox(deps, trx, userId, proven.isResidency);
    await deleteCode(trx, userId);
    const { isResidency, quota } = proven;
    const isOverQuota = !(await takeQuota(trx, quota));
    // Until the rewrite, the transaction id links the mark and the quota to the account.
    await rewriteSoon(deps, trx);
    const isUsed = !(await addMark(trx, proven.mark));
    // Beyond the quota, whoever runs the domain must not learn whose mailboxes were used.
    if (isUsed && !isOverQuota) return 'used';
    await recordProof(deps, trx, userId, { kind: 'mailbox', isResidency, isOverQuota });
    await deleteLetter(trx, userId);
    return 'proven';
  });
  if (outcome === 'wrong') throw wrongCode();
  if (outcome === 'used') throw new AppError('mailbox_used');
}
