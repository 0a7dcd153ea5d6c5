import {
  LOCK_MESSAGES,
  type LockRequest,
  type LockResponse,
  type UnlockRequest,
} from '#contract/accounts/accounts.ts';
import { lockedAuthor, openAuthor } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  newAuthorSecret,
  noSecret,
  openAuthorSalts,
  recoveryKey,
  unwrapSecret,
  wrapSecret,
} from '#server/features/accounts/credentials/author-secret.ts';
import { moveToNewSalt } from '#server/features/accounts/identity/author-rekeying.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { provePassword, wrongPassword } from '#server/features/accounts/session/authentication.ts';
import { rewriteSoon } from '#server/jobs/queue.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { type HeldAccount, lockAccount } from '../identity/account-queries.ts';
import { updateAccount } from '../identity/account-writes.ts';
import { endSessionsOf, openSession } from '../session/sessions.ts';

type LockDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs' | 'handOver'>;

/**
 * Derives the author keys of all the account's reviews, votes, and reports from a secret that the
 * server does not store. If they are already locked, replaces the recovery code. Throws
 * `lock_needs_proof`, or a validation error for `password`.
 */
export function lockReviews(
  deps: LockDeps,
  limits: RateLimits,
  caller: Caller,
  { password, recovery_code }: LockRequest,
): Promise<LockResponse> {
  return withPassword(deps, limits, caller, password, async (trx, account, wrappingKey) => {
    // Nobody could find an impostor's reviews.
    if (!(await canLock(deps, trx, account.id))) throw new AppError('lock_needs_proof');
    const present = unwrapSecret(wrappingKey, account.author_secret);
    const secret = present ?? newAuthorSecret();
    await updateAccount(trx, account.id, {
      author_secret: wrapSecret(wrappingKey, secret),
      recovery_secret: wrapSecret(recoveryKey(recovery_code), secret),
    });
    if (present) return LOCK_MESSAGES.codeReplaced;
    await moveToNewSalt(deps, trx, account, secret, [openAuthor(deps.keys, account.id)]);
    return LOCK_MESSAGES.locked;
  });
}

/** Whether the account is verified by proof. In `registry` mode a match is enough. */
export async function canLock(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  db: Db,
  userId: string,
): Promise<boolean> {
  const doctor = (await loadProfile(keys, db, userId))?.doctor;
  if (!doctor?.verified) return false;
  return config.verification === 'registry' || doctor.verification.proofs.length > 0;
}

/** Reverses `lockReviews`. Throws a validation error for `password`. */
export function unlockReviews(
  deps: LockDeps,
  limits: RateLimits,
  caller: Caller,
  { password }: UnlockRequest,
): Promise<LockResponse> {
  return withPassword(deps, limits, caller, password, async (trx, account, wrappingKey) => {
    const secret = unwrapSecret(wrappingKey, account.author_secret);
    if (secret) {
      const { salts } = openAuthorSalts(deps.keys, account.id, account.author_salt);
      const open = openAuthor(deps.keys, account.id);
      await deps.handOver.everything(trx, lockedAuthor({ secret, salts }), open);
    }
    await updateAccount(trx, account.id, {
      author_secret: noSecret(),
      recovery_secret: noSecret(),
    });
    return LOCK_MESSAGES.unlocked;
  });
}

/** Also ends all sessions, because their tokens contain the previous author. */
async function withPassword(
  deps: LockDeps,
  limits: RateLimits,
  { userId }: Pick<Caller, 'userId'>,
  password: string,
  change: (trx: Db, account: HeldAccount, wrappingKey: Buffer) => Promise<string>,
): Promise<LockResponse> {
  const proven = await provePassword(deps, limits, userId, 'password', password);
  await limits.take('reviewLock', userId);
  const message = await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (account?.password_hash !== proven.hash) throw wrongPassword('password');
    const done = await change(trx, account, proven.wrappingKey);
    await endSessionsOf(deps.keys, trx, userId);
    await rewriteSoon(deps, trx);
    return done;
  });
  const tokens = await openSession(deps, userId, proven);
  if (!tokens) throw new AppError('authentication_required');
  return { ...tokens, message };
}
