import type { PasswordChangeRequest } from '#contract/accounts/accounts.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  passwordColumns,
  unwrapSecret,
} from '#server/features/accounts/credentials/author-secret.ts';
import {
  type DerivedPassword,
  hashPassword,
  openPassword,
  refuseCommonPassword,
} from '#server/features/accounts/credentials/passwords.ts';
import { dropPendingEmail } from '#server/features/accounts/links/pending-email.ts';
import { dropResetLinks } from '#server/features/accounts/links/reset-links.ts';
import { provePassword, wrongPassword } from '#server/features/accounts/session/prove-password.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { findAccount, lockAccount } from '../identity/account-queries.ts';
import { updateAccount } from '../identity/account-writes.ts';
import { openIdentity } from '../identity/identity.ts';
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
export async function setPassword(
  { keys, jobs }: Pick<PasswordDeps, 'keys' | 'jobs'>,
  trx: Db,
  account: { id: string; sealed: Buffer },
  { password, authorSecret, keepSession }: PasswordChange,
): Promise<void> {
  await updateAccount(trx, account.id, passwordColumns(password, authorSecret));
  await endSessionsOf(keys, trx, account.id, keepSession);
  await dropResetLinks(keys, trx, account.id);
  await dropPendingEmail(keys, trx, account.id);
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
