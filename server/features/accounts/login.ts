import type { LoginRequest, LoginResponse } from '#contract/accounts.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './account-queries.ts';
import { emailIndex } from './identity.ts';
import { passwordMatches } from './passwords.ts';
import { toProfile } from './profile.ts';
import { beginSession } from './sessions.ts';

/** Signs in. A wrong password and an unknown address take as long and answer alike. */
export async function logIn(deps: Deps, { email, password }: LoginRequest): Promise<LoginResponse> {
  const account = await queries.findAccountByEmail(deps.db, emailIndex(deps.keys, email));
  const matches = await passwordMatches(account?.password_hash ?? null, password);
  if (!account || !matches) throw new AppError('invalid_credentials');
  const tokens = await beginSession(deps, deps.db, account.id);
  return { ...tokens, ...toProfile(deps.keys, account) };
}
