import { randomInt } from 'node:crypto';
import { DEPARTURE_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { insertDepartures } from './queries.ts';

const HOUR_MS = 3_600_000;
const HOURS = DEPARTURE_DAYS * 24;

/**
 * Has each review deleted in an hour of its own, picked at random from the next `DEPARTURE_DAYS`
 * days: reviews that vanish together have one author.
 */
export async function scheduleDeparture(trx: Db, ids: readonly string[], now: Date): Promise<void> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  const hours = distinctHours(ids.length).map((hour) => new Date((thisHour + hour) * HOUR_MS));
  await insertDepartures(trx, ids, hours);
}

/** So many hours from now, each once; again from the beginning for an author of very many. */
function distinctHours(count: number): number[] {
  const left: number[] = [];
  return Array.from({ length: count }, () => {
    if (left.length === 0) left.push(...Array.from({ length: HOURS }, (_, hour) => hour + 1));
    return left.splice(randomInt(left.length), 1)[0] ?? 1;
  });
}
