import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { DEPARTURE_DAYS, MINUTE_MS } from '#contract/limits.ts';
import type { AccountDeletionRequest } from '#contract/member/account-data.ts';
import type { Author } from '#server/anonymity/author.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './rows/queries.ts';
import { disownByAuthor } from './rows/review-authors.ts';
import * as scheduled from './rows/scheduled-queries.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** The hour after the last of these ends after the last of the days. */
const HOURS = DEPARTURE_DAYS * 24 - 1;

/**
 * Deletes an account's reviews or leaves them without an author, in the transaction that deletes
 * the account. Each review that stays gets its own random author key, so that nobody can claim it
 * or see that one person wrote several. Scheduled reviews still go live if reviews are kept;
 * otherwise they are deleted immediately. Returns how many reviews stay, at least for now.
 */
export async function leaveReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { keys: author }: Author,
  fate: AccountDeletionRequest['reviews'],
): Promise<number> {
  await scheduled.holdAuthor(db, author, null);
  // Held reviews are always deleted: without their author, nobody could make them publishable.
  const condition = fate === 'keep' ? sql`held` : undefined;
  await queries.deleteByAuthor(db, 'scheduled_reviews', author, condition);
  if (fate === 'delete') {
    await queries.deleteByAuthor(db, 'reviews', author);
    return 0;
  }
  const ids = await disownByAuthor(db, author);
  if (fate === 'delete_gradually') {
    await queries.insertDepartures(db, ids, departureMinutes(ids.length, clock()));
  }
  return ids.length;
}

/**
 * A random minute of a different hour for each review, within the next `DEPARTURE_DAYS` days. Reviews
 * that disappear together would reveal that they share an author.
 */
export function departureMinutes(reviews: number, now: Date): Date[] {
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  return distinctHours(reviews).map(
    (hour) => new Date((thisHour + hour) * HOUR_MS + randomInt(60) * MINUTE_MS),
  );
}

/** Random hours from now, all different as long as there are enough. */
function distinctHours(count: number): number[] {
  const left: number[] = [];
  return Array.from({ length: count }, () => {
    if (left.length === 0) left.push(...Array.from({ length: HOURS }, (_, hour) => hour + 1));
    return left.splice(randomInt(left.length), 1)[0] ?? 1;
  });
}

/** Deletes the reviews that are due, one per transaction, so that `xmin` links no two. */
export async function deleteDeparted({ db, clock, cache }: Pick<Deps, 'db' | 'clock' | 'cache'>) {
  const ids = await queries.selectDeparted(db, clock());
  for (const id of ids) await inTransaction(db, (trx) => queries.deleteById(trx, id));
  if (ids.length > 0) cache.changed(['reviews']);
}
