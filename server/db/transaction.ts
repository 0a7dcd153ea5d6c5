import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { TIME_OUTS } from '#server/time-outs.ts';
import { isStale, sqlStateOf } from './errors.ts';
import type { Db } from './open.ts';

/** deadlock_detected, serialization_failure: a retry may succeed. */
const LOST_RACES = new Set(['40P01', '40001']);
const TRIES = 5;
/** The longest pause before the first retry. It doubles with each retry. */
const PAUSE_MS = 25;

/**
 * Runs work in the caller's transaction, or in a new one. A new transaction is retried after a
 * random pause if PostgreSQL aborts it to resolve a deadlock, or because a migration has changed a
 * statement, so the work must have no other side effects.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  const pauseMs = (attempt: number) => upTo(PAUSE_MS * 2 ** (attempt - 1));
  return retry({ isWorthIt: lostRace, tries: TRIES, pauseMs }, () =>
    db.transaction().execute(work),
  );
}

/** A random pause, so that transactions that failed together do not retry together. */
export const upTo = (ms: number): number => Math.random() * ms;

const lostRace = (error: unknown) => LOST_RACES.has(sqlStateOf(error) ?? '') || isStale(error);

interface Retries {
  /** Whether a retry may succeed after this error. */
  isWorthIt(error: unknown): boolean;
  readonly tries: number;
  pauseMs(attempt: number): number;
}

export async function retry<T>(
  { isWorthIt, tries, pauseMs }: Retries,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isWorthIt(error)) throw error;
      await pause(pauseMs(attempt));
    }
  }
}

/** Runs work in a transaction on its own connection, for what Kysely does not support. */
export async function onClient<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // This also fails after a lost connection; the first error is the one to report.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** lock_not_available, deadlock_detected, serialization_failure. */
const YIELDED_TO = new Set(['55P03', '40P01', '40001']);
const mustYield = (error: unknown) => YIELDED_TO.has(sqlStateOf(error) ?? '');
const YIELDING_TRIES = 100;
const YIELD_MS = 250;

/**
 * A transaction that locks whole tables. While it waits for such a lock, it blocks all later requests
 * for the table, and may deadlock with them. So it gives up before PostgreSQL would abort a request
 * (deadlock_timeout, 1 s), lets the others through, and retries. The work must have no other side
 * effects.
 */
export const inYieldingTransaction = <T>(
  client: pg.PoolClient,
  work: () => Promise<T>,
): Promise<T> =>
  retry({ isWorthIt: mustYield, tries: YIELDING_TRIES, pauseMs: () => YIELD_MS }, () =>
    onClient(client, async () => {
      await client.query(`set local lock_timeout = ${TIME_OUTS.tableLock.ms}`);
      return work();
    }),
  );
