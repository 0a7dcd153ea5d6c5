import type { User } from '#contract/accounts/accounts.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { type AccountRow, findAccount } from '../identity/account-queries.ts';
import { type Profile, toProfile } from '../identity/identity.ts';
import { pendingEmail } from '../links/pending-email.ts';

/** The profile as its owner sees it. */
export interface OwnProfile extends Profile {
  user: User;
}

export async function toOwnProfile(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  row: AccountRow,
): Promise<OwnProfile> {
  const { user, doctor } = toProfile(deps.keys, row);
  return { user: { ...user, pending_email: await pendingEmail(deps, db, row.id) }, doctor };
}

/** Throws `authentication_required` if the account was deleted during the request. */
export async function ownProfile(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  userId: string,
): Promise<OwnProfile> {
  const row = await findAccount(deps.db, userId);
  if (!row) throw new AppError('authentication_required');
  return toOwnProfile(deps, deps.db, row);
}
