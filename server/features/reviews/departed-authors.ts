import { randomInt } from 'node:crypto';
import type { AccountDeletionRequest } from '#contract/account-data.ts';
import { DEPARTURE_DAYS } from '#contract/limits.ts';
import type { Author } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './queries.ts';
import * as scheduled from './scheduled-queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = DEPARTURE_DAYS * 24;

/**
 * Deletes an account's reviews, or leaves them without an author, in the transaction that deletes the
 * account. Each review that stays gets a random author key of its own, so nobody can claim it or tell
 * that one person wrote several. Scheduled reviews still go live if reviews are kept; otherwise they
 * are deleted at once, since nobody has seen them. Returns how many stay, if only for now.
 */
export async function leaveReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { keys: author }: Author,
  fate: AccountDeletionRequest['reviews'],
): Promise<number> {
  await scheduled.holdAuthor(db, author, null);
  const waiting = fate === 'keep' ? await scheduled.disownByAuthor(db, author) : 0;
  if (fate !== 'keep') await scheduled.deleteByAuthor(db, author);
  if (fate === 'delete') {
    await queries.deleteByAuthor(db, author);
    return 0;
  }
  const ids = await queries.disownByAuthor(db, author);
  if (fate === 'delete_gradually') await scheduleDeparture(db, ids, clock());
  return ids.length + waiting;
}

/**
 * Has each review deleted at a random minute of an hour of its own within the next `DEPARTURE_DAYS`
 * days: reviews that vanish together would tell that they have one author.
 */
async function scheduleDeparture(trx: Db, ids: readonly string[], now: Date): Promise<void> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  const minutes = distinctHours(ids.length).map(
    (hour) => new Date((thisHour + hour) * HOUR_MS + randomInt(60) * MINUTE_MS),
  );
  await queries.insertDepartures(trx, ids, minutes);
}

/** So many hours from now, each once; again from the beginning for an author of very many. */
function distinctHours(count: number): number[] {
  const left: number[] = [];
  return Array.from({ length: count }, () => {
    if (left.length === 0) left.push(...Array.from({ length: HOURS }, (_, hour) => hour + 1));
    return left.splice(randomInt(left.length), 1)[0] ?? 1;
  });
}

/** Deletes the reviews whose minute has come, each on its own, so that `xmin` ties no two. */
export async function deleteDeparted({ db, clock, cache }: Pick<Deps, 'db' | 'clock' | 'cache'>) {
  const ids = await queries.selectDeparted(db, clock());
  for (const id of ids) await inTransaction(db, (trx) => queries.deleteById(trx, id));
  if (ids.length > 0) cache.changed(['reviews']);
}
