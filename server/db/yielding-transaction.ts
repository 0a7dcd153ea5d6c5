import type pg from 'pg';
import { TIME_OUTS } from '#server/time-outs.ts';
import { sqlStateOf } from './errors.ts';
import { onClient, retry } from './transaction.ts';

/** lock_not_available, deadlock_detected, serialization_failure. */
const RETRIED = new Set(['55P03', '40P01', '40001']);
const isWorthIt = (error: unknown) => RETRIED.has(sqlStateOf(error) ?? '');
const TRIES = 100;
const PAUSE_MS = 250;

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
  retry({ isWorthIt, tries: TRIES, pauseMs: () => PAUSE_MS }, () =>
    onClient(client, async () => {
      await client.query(`set local lock_timeout = ${TIME_OUTS.tableLock.ms}`);
      return work();
    }),
  );
