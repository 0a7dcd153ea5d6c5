import { sql } from 'kysely';
import { AppError, unavailable } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import { openAuthorSalt } from '../review-lock/author-salt.ts';
import { findCaller } from './sessions.ts';

type HoldDeps = Pick<Deps, 'keys' | 'clock'>;

const RETRY_AFTER_SECONDS = 1;

/**
 * Takes a shared lock on the caller's author keys until the transaction ends: for votes and
 * reports, which may run at the same time as each other, but not as a change of the keys
 * (hold_author). Throws as `confirmCaller` does.
 */
export async function holdCaller(deps: HoldDeps, trx: Db, caller: Caller): Promise<void> {
  // The same order as in hold_author, which prevents deadlocks.
  const keys = caller.author.keys.toSorted(Buffer.compare);
  const ids = keys.map((key) => key.readBigInt64BE());
  await sql`
    select pg_advisory_xact_lock_shared(id) from unnest(${ids.map(String)}::bigint[]) as id
  `.execute(trx);
  await confirmCaller(deps, trx, caller);
}

/**
 * Checks the session again while the author is locked: locking, unlocking, and deleting the account
 * end all sessions. Throws `authentication_required`, and `unavailable` if a login has just renewed
 * the salt.
 */
export async function confirmCaller(
  deps: HoldDeps,
  trx: Db,
  { userId, sessionId, author }: Caller,
): Promise<void> {
  const account = await findCaller(deps, trx, { userId, sessionId });
  if (!account) throw new AppError('authentication_required');
  if (!author.salt) return;
  const { salt } = openAuthorSalt(deps.keys, userId, account.authorSalt);
  if (!salt.equals(author.salt)) throw unavailable(RETRY_AFTER_SECONDS);
}
