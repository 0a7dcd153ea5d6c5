import type { ProfileUpdateRequest, User } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { findAccount, lockAccount, updateAccount } from './account-queries.ts';
import { beginEmailChange } from './email-change.ts';
import { isSameAddress, openIdentity, sealIdentity } from './identity.ts';
import { type OwnProfile, toOwnProfile } from './profile.ts';

/** One's own account, opened. Throws when it has gone while one was asking. */
export async function ownProfile(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<OwnProfile> {
  const row = await findAccount(deps.db, userId);
  if (!row) throw new AppError('authentication_required');
  return toOwnProfile(deps, deps.db, row);
}

/** Changes names at once; a new e-mail address has to be confirmed first. */
export async function updateProfile(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>,
  limits: RateLimits,
  userId: string,
  { email, first_name, last_name }: ProfileUpdateRequest,
): Promise<User> {
  const { user } = await ownProfile(deps, userId);
  const isNewAddress = email !== undefined && !isSameAddress(email, user.email);
  if (isNewAddress) {
    await limits.take('emailChange', userId);
    await limits.take('emailChangeMail', email.toLowerCase());
  }
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (!account) throw new AppError('authentication_required');
    const identity = openIdentity(deps.keys, userId, account.sealed);
    const changed = {
      ...identity,
      // The same address in another case is the same mailbox.
      email: email !== undefined && !isNewAddress ? email : identity.email,
      first_name: first_name ?? identity.first_name,
      last_name: last_name ?? identity.last_name,
    };
    await updateAccount(trx, userId, { sealed: sealIdentity(deps.keys, userId, changed) });
    if (isNewAddress) await beginEmailChange(deps, trx, userId, identity.email, email);
  });
  return (await ownProfile(deps, userId)).user;
}
