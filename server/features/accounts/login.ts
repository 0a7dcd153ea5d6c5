import type { LoginRequest, LoginResponse } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import type { Network } from '#server/rate-limits/networks.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';
import * as queries from './account-queries.ts';
import { emailIndexes } from './identity.ts';
import { passwordMatches } from './passwords.ts';
import { toOwnProfile } from './profile.ts';
import { beginSession } from './sessions.ts';

/** Where a log-in comes from. */
interface Origin {
  network: Network;
  /** The id of a device that has logged in to the account before. */
  device: string | null;
}

/**
 * Signs in. A wrong password and an unknown address take as long and answer alike, also when they
 * are refused for having been tried too often. Throws `invalid_credentials`, `rate_limited`.
 */
export async function logIn(
  deps: Deps,
  limits: RateLimits,
  { email, password }: LoginRequest,
  { network, device }: Origin,
): Promise<LoginResponse> {
  const address = email.toLowerCase();
  // Whatever strangers do, the owner gets in from a device of their own.
  const budgets: Budget[] =
    device === null
      ? [
          ['login', address, network],
          ['loginAccount', address],
          ['loginNetwork', '', network],
        ]
      : [['loginDevice', device]];
  const account = await limits.attempt(`login/${device ?? address}`, budgets, async () => {
    const found = await queries.findAccountByEmail(deps.db, emailIndexes(deps.keys, email));
    const matches = await passwordMatches(found?.password_hash ?? null, password);
    return found && matches ? found : null;
  });
  if (!account) throw new AppError('invalid_credentials');
  return inTransaction(deps.db, async (trx) => {
    // A change of password ends all sessions: none may begin with the old one right after it.
    if (!(await queries.holdPassword(trx, account.id, account.password_hash))) {
      throw new AppError('invalid_credentials');
    }
    const tokens = await beginSession(deps, trx, account.id);
    return { ...tokens, ...(await toOwnProfile(deps, trx, account)) };
  });
}
