import { WRONG_PASSWORD } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { findAccount } from '../identity/account-queries.ts';
import { type DerivedPassword, openPassword } from './passwords.ts';

/**
 * The account's password, once `typed` has proven to be it. Whoever relies on it holds its hash
 * against the account again in the transaction. Throws an error of `field`, or
 * `rate_limited` after too many wrong ones.
 */
export async function provePassword(
  { db }: Pick<Deps, 'db'>,
  limits: RateLimits,
  userId: string,
  field: string,
  typed: string,
): Promise<DerivedPassword> {
  const proven = await limits.attempt(`password/${userId}`, [['password', userId]], async () => {
    const account = await findAccount(db, userId);
    if (!account) throw new AppError('authentication_required');
    const { password_hash: hash } = account;
    const wrappingKey = await openPassword(hash, typed);
    return wrappingKey && { hash, wrappingKey };
  });
  if (proven === null) throw wrongPassword(field);
  return proven;
}

export const wrongPassword = (field: string) =>
  new AppError('validation_error', { fields: { [field]: [WRONG_PASSWORD] } });

/**
 * For what a stolen token alone must not do. Passes for a fresh log-in, or with the password. A
 * password that is given is always checked. Throws `confirm_password`, or an error of the field `password`.
 */
export async function proveFreshness(
  deps: Pick<Deps, 'db'>,
  limits: RateLimits,
  { userId, hasFreshLogin }: Pick<Caller, 'userId' | 'hasFreshLogin'>,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await provePassword(deps, limits, userId, 'password', password);
  else if (!hasFreshLogin) throw new AppError('confirm_password');
}
