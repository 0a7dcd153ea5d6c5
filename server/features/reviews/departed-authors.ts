import { randomInt } from 'node:crypto';
import { DEPARTURE_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import * as queries from './queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = DEPARTURE_DAYS * 24;

/**
 * Has each review deleted at a random minute of an hour of its own, picked at random from the next `DEPARTURE_DAYS`
 * days: reviews that vanish together have one author.
 */
export async function scheduleDeparture(trx: Db, ids: readonly string[], now: Date): Promise<void> {
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
export async function deleteDeparted(db: Db, now: Date): Promise<void> {
  for (const id of await queries.selectDeparted(db, now)) {
    await inTransaction(db, (trx) => queries.deleteById(trx, id));
  }
}
