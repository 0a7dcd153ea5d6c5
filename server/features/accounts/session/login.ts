import type { LoginRequest, LoginResponse } from '#contract/accounts.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { unwrapSecret } from '#server/features/accounts/credentials/author-secret.ts';
import { openPassword } from '#server/features/accounts/credentials/passwords.ts';
import {
  mayHaveOlderSalts,
  moveToCurrentSalt,
} from '#server/features/accounts/identity/author-rekeying.ts';
import { toOwnProfile } from '#server/features/accounts/session/own-profile.ts';
import type { Network } from '#server/rate-limits/networks.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import { findAccountByEmail, lockAccount } from '../identity/account-queries.ts';
import { emailIndexes } from '../identity/identity.ts';
import { openSession } from './sessions.ts';

/** The origin of a login. */
interface Origin {
  network: Network;
  /** The id of a device that has signed in to this account before. */
  device: string | null;
}

/**
 * Signs in. A wrong password and an unknown address have the same response and timing, even when
 * rate limited. Throws `invalid_credentials`, `rate_limited`.
 */
export async function logIn(
  deps: Deps,
  limits: RateLimits,
  { email, password }: LoginRequest,
  { network, device }: Origin,
): Promise<LoginResponse> {
  const address = email.toLowerCase();
  // Guesses by others never lock the owner out of a known device.
  const budgets: Budget[] =
    device === null
      ? [
          ['login', address, network],
          ['loginAccount', address],
          ['loginNetwork', '', network],
        ]
      : [['loginDevice', device]];
  const proven = await limits.attempt(`login/${device ?? address}`, budgets, async () => {
    const account = await findAccountByEmail(deps.db, emailIndexes(deps.keys, email));
    const wrappingKey = await openPassword(deps, account?.password_hash ?? null, password);
    return account && wrappingKey ? { account, wrappingKey } : null;
  });
  if (!proven) throw new AppError('invalid_credentials');
  const { account, wrappingKey } = proven;
  const { id, password_hash: hash } = account;
  if (mayHaveOlderSalts(deps.keys, account)) {
    await inTransaction(deps.db, async (trx) => {
      const held = await lockAccount(trx, id);
      if (held?.password_hash !== hash) throw new AppError('invalid_credentials');
      const secret = unwrapSecret(wrappingKey, held.author_secret);
      if (secret) await moveToCurrentSalt(deps, trx, held, secret);
    });
  }
  const tokens = await openSession(deps, id, { hash, wrappingKey });
  if (!tokens) throw new AppError('invalid_credentials');
  return { ...tokens, ...(await toOwnProfile(deps, deps.db, account)) };
}
