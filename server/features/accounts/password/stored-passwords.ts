import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { findAccount, lockAccount } from '../identity/account-queries.ts';
import { setPassword } from './password-change.ts';
import { hashPassword, openPassword } from './passwords.ts';

export async function hasPassword(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  password: string,
): Promise<boolean> {
  const account = await findAccount(db, userId);
  return (await openPassword(account?.password_hash ?? null, password)) !== null;
}

/**
 * Gives an account this password, unless it has it, and ends what the old one began. Reviews that
 * the account has locked then belong to nobody: the old password alone unwraps their secret.
 */
export async function replacePassword(
  deps: Pick<Deps, 'db' | 'keys' | 'jobs'>,
  userId: string,
  password: string,
): Promise<void> {
  if (await hasPassword(deps, userId, password)) return;
  const derived = await hashPassword(password);
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, userId);
    if (account) await setPassword(deps, trx, account, { password: derived, authorSecret: null });
  });
}
