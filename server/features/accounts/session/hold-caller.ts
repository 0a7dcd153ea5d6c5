import { sql } from 'kysely';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError, unavailable } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import { openAuthorSalt } from '../review-lock/author-salt.ts';
import { findCaller } from './session-queries.ts';
import { accountKey } from './sessions.ts';

type HoldDeps = Pick<Deps, 'keys' | 'clock'>;

const RETRY_AFTER_SECONDS = 1;

/**
 * Holds who the caller is to votes and reports until the transaction ends, beside other requests of
 * the same author (hold_author keeps them apart). Throws as `confirmCaller` does.
 */
export async function holdCaller(deps: HoldDeps, trx: Db, caller: Caller): Promise<void> {
  // In the order of hold_author.
  const keys = caller.author.keys.toSorted(Buffer.compare);
  const ids = keys.map((key) => key.readBigInt64BE());
  await sql`
    select pg_advisory_xact_lock_shared(id) from unnest(${ids.map(String)}::bigint[]) as id
  `.execute(trx);
  await confirmCaller(deps, trx, caller);
}

/**
 * Looks again, while the author is held: whatever changes who the caller is (a lock, an unlock, the
 * end of the account) ends all sessions. Throws `authentication_required`, and `unavailable` when a
 * log-in has just renewed the salt.
 */
export async function confirmCaller(
  { keys, clock }: HoldDeps,
  trx: Db,
  { userId, sessionId, author }: Caller,
): Promise<void> {
  const account = await findCaller(trx, {
    userId,
    sessionId,
    accountKey: accountKey(keys, userId),
    today: toDay(clock()),
  });
  if (!account) throw new AppError('authentication_required');
  if (!author.salt) return;
  const { salt } = openAuthorSalt(keys, userId, account.authorSalt);
  if (!salt.equals(author.salt)) throw unavailable(RETRY_AFTER_SECONDS);
}
