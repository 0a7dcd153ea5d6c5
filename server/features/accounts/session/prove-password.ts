import { WRONG_PASSWORD } from '#contract/accounts/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { type DerivedPassword, openPassword } from '../credentials/passwords.ts';
import { findAccount } from '../identity/account-queries.ts';

/**
 * Checks the typed password. The caller must compare the returned hash with the account again in
 * its transaction. Throws a validation error for `field`, or `rate_limited` after too many wrong
 * attempts.
 */
export async function provePassword(
  deps: Pick<Deps, 'db' | 'config'>,
  limits: RateLimits,
  userId: string,
  field: string,
  typed: string,
): Promise<DerivedPassword> {
  const proven = await limits.attempt(`password/${userId}`, [['password', userId]], async () => {
    const account = await findAccount(deps.db, userId);
    if (!account) throw new AppError('authentication_required');
    const { password_hash: hash } = account;
    const wrappingKey = await openPassword(deps, hash, typed);
    return wrappingKey && { hash, wrappingKey };
  });
  if (proven === null) throw wrongPassword(field);
  return proven;
}

export const wrongPassword = (field: string) =>
  new AppError('validation_error', { fields: { [field]: [WRONG_PASSWORD] } });

/**
 * Guards actions that a stolen token must not allow: requires a recent login or the password. If a
 * password is given, it is always checked. Throws `confirm_password`, or a validation error for
 * `password`.
 */
export async function proveFreshness(
  deps: Pick<Deps, 'db' | 'config'>,
  limits: RateLimits,
  { userId, hasFreshLogin }: Pick<Caller, 'userId' | 'hasFreshLogin'>,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await provePassword(deps, limits, userId, 'password', password);
  else if (!hasFreshLogin) throw new AppError('confirm_password');
}
