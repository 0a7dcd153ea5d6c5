import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { PasswordChangeRequest, ResetConfirmRequest } from '#contract/accounts/accounts.ts';
import { RECOVERY_CODE_WRONG } from '#contract/accounts/recovery-code.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { JobHandler } from '#server/jobs/settings.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { passwordColumns, recoveryKey, unwrapSecret } from '../credentials/author-secret.ts';
import {
  type DerivedPassword,
  hashPassword,
  openPassword,
  refuseCommonPassword,
} from '../credentials/passwords.ts';
import {
  findAccount,
  type HeldAccount,
  holdAccountByEmail,
  lockAccount,
} from '../identity/account-queries.ts';
import { updateAccount } from '../identity/account-writes.ts';
import { restoreLock } from '../identity/author-rekeying.ts';
import { emailIndexes, openIdentity } from '../identity/identity.ts';
import { addResetLink, dropLinks, openResetLink, pageLink, takeResetLink } from '../mail-links.ts';
import { provePassword, secretOfBearer, wrongPassword } from '../session/authentication.ts';
import { endSessionsOf } from '../session/sessions.ts';

type PasswordDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'jobs'>;

/** Changes the user's password. Ends all other sessions. */
export async function changePassword(
  deps: PasswordDeps,
  limits: RateLimits,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
  { current_password, new_password }: PasswordChangeRequest,
): Promise<void> {
  const field = 'current_password';
  const proven = await provePassword(deps, limits, userId, field, current_password);
  refuseCommonPassword('new_password', new_password);
  const password = await hashPassword(deps, new_password);
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (account?.password_hash !== proven.hash) throw wrongPassword(field);
    const authorSecret = unwrapSecret(proven.wrappingKey, account.author_secret);
    await setPassword(deps, trx, account, { password, authorSecret, keepSession: sessionId });
  });
}

interface PasswordChange {
  password: DerivedPassword;
  /**
   * For accounts with locked reviews. If null, the reviews have no author until the recovery code
   * restores the secret.
   */
  authorSecret: Buffer | null;
  keepSession?: string;
}

/**
 * Sets a locked account's password. Ends everything that someone with the old password may have
 * started: sessions, reset links, a pending email change.
 */
async function setPassword(
  { keys, jobs }: Pick<PasswordDeps, 'keys' | 'jobs'>,
  trx: Db,
  account: { id: string; sealed: Buffer },
  { password, authorSecret, keepSession }: PasswordChange,
): Promise<void> {
  await updateAccount(trx, account.id, passwordColumns(password, authorSecret));
  await endSessionsOf(keys, trx, account.id, keepSession);
  await dropLinks(keys, trx, account.id);
  const { email } = openIdentity(keys, account.id, account.sealed);
  await jobs.enqueue(trx, 'send-mail', { to: email, template: 'password-changed', props: {} });
}

export async function hasPassword(
  deps: Pick<Deps, 'db' | 'config'>,
  userId: string,
  password: string,
): Promise<boolean> {
  const account = await findAccount(deps.db, userId);
  return (await openPassword(deps, account?.password_hash ?? null, password)) !== null;
}

/**
 * Sets the password if it differs. Locked reviews then have no author, because only the old
 * password unwraps their secret.
 */
export async function replacePassword(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'jobs'>,
  userId: string,
  password: string,
): Promise<void> {
  if (await hasPassword(deps, userId, password)) return;
  const derived = await hashPassword(deps, password);
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (account) await setPassword(deps, trx, account, { password: derived, authorSecret: null });
  });
}

/**
 * Requests a link. A job finds out whether the address has an account, so that response and timing
 * are the same for all addresses.
 */
export function requestReset({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, email: string) {
  return jobs.enqueue(db, 'password-reset', { email });
}

/**
 * Mails a link if the address has an account. Earlier links stay valid. Without an account, a link that
 * leads nowhere is written, and its mail rendered and discarded: otherwise, the time of the next
 * requests would show who is a member.
 */
export function sendResetLink(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>,
): JobHandler<'password-reset'> {
  return async ({ email }) => {
    const { config, db, keys, jobs } = deps;
    await inTransaction(db, async (trx) => {
      const account = await holdAccountByEmail(trx, emailIndexes(keys, email));
      const link = await addResetLink(deps, trx, account?.id ?? randomUUID());
      const href = pageLink(config.publicUrl, '/password-reset', link);
      const to = account ? openIdentity(keys, account.id, account.sealed).email : email;
      await jobs.enqueue(trx, 'send-mail', {
        to,
        template: 'password-reset',
        props: { link: href },
        isDiscarded: !account,
      });
    });
  };
}

/**
 * Sets a new password with a link, once, and ends all sessions. Locked reviews keep their author if
 * the recovery code is given, or in a browser that is still signed in. Returns the account's email
 * address. Throws `invalid_reset_link`, or a validation error for `recovery_code`.
 */
export async function resetPassword(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs' | 'handOver'>,
  { token, uidb64, new_password, recovery_code }: ResetConfirmRequest,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<string> {
  const userId = await openResetLink(deps, { token, uidb64 });
  refuseCommonPassword('new_password', new_password);
  const password = await hashPassword(deps, new_password);
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    const isFirst = await takeResetLink(deps.keys, trx, token);
    if (!account || !isFirst) throw new AppError('invalid_reset_link');
    const kept = await secretOfBearer({ ...deps, db: trx }, request, userId);
    const restored = recovery_code === undefined ? null : unwrapRecovered(recovery_code, account);
    if (restored) await restoreLock(deps, trx, account, restored);
    await setPassword(deps, trx, account, { password, authorSecret: restored ?? kept });
    return openIdentity(deps.keys, account.id, account.sealed).email;
  });
}

function unwrapRecovered(code: string, { recovery_secret }: HeldAccount): Buffer {
  const secret = unwrapSecret(recoveryKey(code), recovery_secret);
  if (secret) return secret;
  throw new AppError('validation_error', { fields: { recovery_code: [RECOVERY_CODE_WRONG] } });
}
