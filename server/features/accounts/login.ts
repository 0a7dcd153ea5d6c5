import type { LoginRequest, LoginResponse } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './account-queries.ts';
import { emailIndexes } from './identity.ts';
import { passwordMatches } from './passwords.ts';
import { toOwnProfile } from './profile.ts';
import { beginSession } from './sessions.ts';

/** Signs in. A wrong password and an unknown address take as long and answer alike. */
export async function logIn(deps: Deps, { email, password }: LoginRequest): Promise<LoginResponse> {
  const account = await queries.findAccountByEmail(deps.db, emailIndexes(deps.keys, email));
  const matches = await passwordMatches(account?.password_hash ?? null, password);
  if (!account || !matches) throw new AppError('invalid_credentials');
  return inTransaction(deps.db, async (trx) => {
    // A change of password ends all sessions: none may begin with the old one right after it.
    if (!(await queries.holdPassword(trx, account.id, account.password_hash))) {
      throw new AppError('invalid_credentials');
    }
    const tokens = await beginSession(deps, trx, account.id);
    return { ...tokens, ...(await toOwnProfile(deps, trx, account)) };
  });
}
