import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ResetConfirmRequest } from '#contract/accounts/accounts.ts';
import { RECOVERY_CODE_WRONG } from '#contract/accounts/recovery-code.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { recoveryKey, unwrapSecret } from '#server/features/accounts/credentials/author-secret.ts';
import {
  hashPassword,
  refuseCommonPassword,
} from '#server/features/accounts/credentials/passwords.ts';
import { restoreLock } from '#server/features/accounts/identity/author-rekeying.ts';
import { pageLink } from '#server/features/accounts/links/link-tokens.ts';
import {
  addResetLink,
  openResetLink,
  takeResetLink,
} from '#server/features/accounts/links/reset-links.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { type HeldAccount, holdAccountByEmail, lockAccount } from '../identity/account-queries.ts';
import { emailIndexes, openIdentity } from '../identity/identity.ts';
import { secretOfBearer } from '../session/authentication.ts';
import { setPassword } from './password-change.ts';

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
