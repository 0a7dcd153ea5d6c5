import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { WINDOW_SECONDS, type WindowLength } from './limits.ts';

/** A window that has not ended. */
export interface Window {
  endsAt: Date;
  /** Part of every key of the window. Once it is deleted, nobody can recompute these keys. */
  salt: Buffer;
}

/** The current windows. All servers on one database share their salts. */
export function openWindows({ db, clock }: { db: Db; clock: Clock }) {
  const known = new Map<WindowLength, { endsAt: number; window: Promise<Window> }>();
  return (length: WindowLength): Promise<Window> => {
    const now = clock();
    const lengthMs = WINDOW_SECONDS[length] * 1000;
    const endsAt = (Math.floor(now.getTime() / lengthMs) + 1) * lengthMs;
    const current = known.get(length);
    if (current?.endsAt === endsAt) return current.window;
    const window = beginWindow(db, length, new Date(endsAt), now);
    known.set(length, { endsAt, window });
    window.catch(() => known.delete(length));
    return window;
  };
}

function beginWindow(db: Db, length: WindowLength, endsAt: Date, now: Date): Promise<Window> {
  return inTransaction(db, async (trx) => {
    await forgetEndedWindows(trx, now);
    await trx
      .insertInto('rate_limit_salts')
      .values({ window_length: length, ends_at: endsAt, salt: randomBytes(32) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // A separate statement, so it sees the salt if another server was first.
    const { salt } = await trx
      .selectFrom('rate_limit_salts')
      .select('salt')
      .where('window_length', '=', length)
      .where('ends_at', '=', endsAt)
      .executeTakeFirstOrThrow();
    return { endsAt, salt };
  });
}

/** Deletes the salts and counters of windows that have ended. */
export async function forgetEndedWindows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limit_salts').where('ends_at', '<=', now).execute();
  await db.deleteFrom('rate_limits').where('ends_at', '<=', now).execute();
}
