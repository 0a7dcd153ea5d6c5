import { setTimeout as pause } from 'node:timers/promises';
import { sqlStateOf } from './busy.ts';
import type { Db } from './open.ts';

/** deadlock_detected, serialization_failure: the same work, done again, may well succeed. */
const LOST_RACES = new Set(['40P01', '40001']);
const TRIES = 5;
/** The longest pause before the second try; it doubles with each. */
const PAUSE_MS = 25;

/**
 * Does the work in the caller's transaction, or in one of its own where there is none. Its own is
 * tried again, a few times and after a random pause, when PostgreSQL ended it to resolve a
 * deadlock: so the work does nothing outside of the database that must not be done twice.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === TRIES || !LOST_RACES.has(sqlStateOf(error) ?? '')) throw error;
      await pause(Math.random() * PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
