import type { ProfileUpdateRequest, User } from '#contract/accounts.ts';
import { markAnswered } from '#server/cases/asked.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { beginEmailChange } from '#server/features/accounts/email-change/email-change.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import { updateAccount } from '#server/features/accounts/identity/account-writes.ts';
import {
  isSameAddress,
  openIdentity,
  sealIdentity,
} from '#server/features/accounts/identity/identity.ts';
import { ownProfile } from '#server/features/accounts/session/own-profile.ts';
import { proveFreshness } from '#server/features/accounts/session/prove-password.ts';
import { holdsSession } from '#server/features/accounts/session/sessions.ts';
import { requireSameDomain } from '#server/features/replies/representatives/mailbox.ts';
import { holdClaim } from '#server/features/verification/claims.ts';
import { renameDoctor } from '#server/features/verification/renaming.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';

const NAMES = ['first_name', 'last_name'] as const;

/**
 * Changes names immediately, and starts a change of the email address. A new address could take
 * over the account, so it requires a recent login or the password. Throws `confirm_password`.
 */
export async function updateProfile(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>,
  limits: RateLimits,
  caller: Caller,
  { email, first_name, last_name, password }: ProfileUpdateRequest,
): Promise<User> {
  const { userId } = caller;
  const { user } = await ownProfile(deps, userId);
  const newAddress = email === undefined || isSameAddress(email, user.email) ? null : email;
  if (newAddress !== null || password !== undefined) {
    await proveFreshness(deps, limits, caller, password);
  }
  if (newAddress !== null) {
    await requireSameDomain(deps.db, userId, user.email, newAddress);
    await limits.take('emailChange', userId);
    await limits.take('emailChangeMail', newAddress.toLowerCase());
  }
  await inTransaction(deps.db, async (trx) => {
    await holdClaim(deps.keys, trx, userId);
    const account = await lockAccount(trx, userId);
    // The session may have ended since the request was authenticated.
    if (!account || !(await holdsSession(deps.keys, trx, caller))) {
      throw new AppError('authentication_required');
    }
    const identity = openIdentity(deps.keys, userId, account.sealed);
    const changed = await renameDoctor(deps, trx, userId, identity, {
      first_name: first_name ?? identity.first_name,
      last_name: last_name ?? identity.last_name,
    });
    // Only the case differs, so it is the same mailbox.
    if (email !== undefined && newAddress === null) changed.email = email;
    await updateAccount(trx, userId, { sealed: sealIdentity(deps.keys, userId, changed) });
    const isRenamed = NAMES.some((name) => changed[name] !== identity[name]);
    if (isRenamed) await markAnswered(trx, userId);
    if (newAddress === null) return;
    const present = { id: userId, email: identity.email, passwordHash: account.password_hash };
    await beginEmailChange(deps, trx, present, newAddress);
  });
  return (await ownProfile(deps, userId)).user;
}
