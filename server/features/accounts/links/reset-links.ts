import type { ResetLink } from '#contract/accounts/accounts.ts';
import { RESET_TTL_MS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { openUnexpired, sealWithExpiry } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { deleteExpiredRows } from '#server/db/sealed-table.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { accountHash, newToken, tokenHash } from './link-tokens.ts';

const PURPOSE = 'password-reset';

/** Binds a sealed reset to its row. */
const contextOf = (hash: Buffer) => `reset/${hash.toString('hex')}`;

/** Creates a link for an account. Earlier links stay valid. */
export async function addResetLink(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  userId: string,
): Promise<ResetLink> {
  const token = newToken();
  const token_hash = tokenHash(keys, PURPOSE, token);
  const account_key = accountHash(keys, PURPOSE, userId);
  const lifetime = { now: clock(), ttlMs: RESET_TTL_MS };
  const sealed = sealWithExpiry(keys, contextOf(token_hash), userId, lifetime);
  await trx.insertInto('password_resets').values({ token_hash, account_key, sealed }).execute();
  return { token, uidb64: account_key.toString('base64url') };
}

/** Returns the id of the account that a link belongs to. Throws `invalid_reset_link`. */
export async function openResetLink(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  { token, uidb64 }: ResetLink,
): Promise<string> {
  const hash = tokenHash(keys, PURPOSE, token);
  const reset = await db
    .selectFrom('password_resets')
    .select('sealed')
    .where('token_hash', '=', hash)
    .where('account_key', '=', Buffer.from(uidb64, 'base64url'))
    .executeTakeFirst();
  const userId = reset && openUnexpired<string>(keys, contextOf(hash), reset.sealed, clock());
  if (!userId) throw new AppError('invalid_reset_link');
  return userId;
}

/** Consumes a link. False if it no longer exists. */
export async function takeResetLink(keys: Keys, trx: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash(keys, PURPOSE, token))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes all links of an account. */
export async function dropResetLinks(keys: Keys, trx: Db, userId: string): Promise<void> {
  const accountKey = accountHash(keys, PURPOSE, userId);
  await trx.deleteFrom('password_resets').where('account_key', '=', accountKey).execute();
}

/** Deletes expired links. */
export const deleteExpiredResetLinks = (deps: Pick<Deps, 'db' | 'keys' | 'clock'>) =>
  deleteExpiredRows(deps, 'password_resets', 'token_hash', contextOf);
