import type { FastifyPluginAsync } from 'fastify';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { ERRORS } from '#contract/errors.ts';
import { MINUTE_MS, OTP_TTL_MS } from '#contract/limits.ts';
import { VERIFICATION_MESSAGES } from '#contract/verification/verification.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { domainOf } from '#server/email-domains.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { rewriteSoon } from '#server/jobs/queue.ts';
import { type Caller, callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { confirmLetter, orderLetter } from './letters/proof.ts';
import { letters } from './letters/stored-letters.ts';
import { addMark, deleteCode, issueCode, tryCode } from './mailbox/codes.ts';
import { findDomain } from './mailbox/domains.ts';
import { quotaOf, takeQuota } from './mailbox/quota.ts';
import { holdProving, recordProof, wrongCode } from './proofs.ts';
import { checkAgain } from './registry-check.ts';
import { verificationSteps } from './verification.ts';

type ProvingDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>;

/**
 * Mails a code to a mailbox at a listed institution. Does not check whether the mailbox has proven
 * another account: only someone who can read the code may learn that. Throws `mailbox_not_listed`,
 * `nothing_to_prove`, and `rate_limited`.
 */
async function mailMailboxCode(
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
async function confirmMailbox(deps: ProvingDeps, userId: string, code: string) {
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
    await letters.remove(trx, userId);
    return 'proven';
  });
  if (outcome === 'wrong') throw wrongCode();
  if (outcome === 'used') throw new AppError('mailbox_used');
}

/** `/doctors/me/` and `/verification/…` (docs/api.md, "Endpoints"). */
export function verificationRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  const ownDoctor = async (userId: string) => {
    const profile = await loadProfile(deps.keys, deps.db, userId);
    if (!profile?.doctor) throw new AppError('not_found');
    return profile.doctor;
  };

  return async (app) => {
    route(app, sessionEndpoints.doctor, async (request) => ownDoctor(callerOf(request).userId));

    route(app, verificationEndpoints.checkRegistry, async (request) =>
      checkAgain(deps, callerOf(request).userId),
    );

    route(app, verificationEndpoints.steps, async (request) =>
      verificationSteps(deps, callerOf(request).userId),
    );

    route(app, verificationEndpoints.orderLetter, async (request) => {
      const { userId } = callerOf(request);
      await orderLetter(deps, userId);
      return verificationSteps(deps, userId);
    });

    route(app, verificationEndpoints.confirmLetter, async (request) => {
      const { userId } = callerOf(request);
      await confirmLetter(deps, userId, request.body.code);
      return ownDoctor(userId);
    });

    route(app, verificationEndpoints.mailMailboxCode, async (request) => {
      await mailMailboxCode(deps, limits, callerOf(request), request.body.email);
      return { message: VERIFICATION_MESSAGES.codeMailed };
    });

    route(app, verificationEndpoints.confirmMailbox, async (request) => {
      const { userId } = callerOf(request);
      await confirmMailbox(deps, userId, request.body.code);
      return ownDoctor(userId);
    });
  };
}
