import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { TIME_OUTS } from '#server/time-outs.ts';
import { isAway, sqlStateOf } from './errors.ts';

const PAUSE_MS = 2000;
/** A standby's error for a write: read_only_sql_transaction. */
const READ_ONLY = '25006';

interface Waiting {
  /** Called after each failed attempt, with the line to print. */
  onTry(line: string): void;
  readonly pauseMs?: number;
  readonly limitMs?: number;
}

/**
 * Waits until the database exists, has started, and accepts writes. Throws the last error if that
 * takes longer than `databaseStart`. Throws other errors, such as a wrong password, immediately.
 */
export async function awaitDatabase(
  pool: pg.Pool,
  { onTry, pauseMs = PAUSE_MS, limitMs = TIME_OUTS.databaseStart.ms }: Waiting,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      return await askForPrimary(pool);
    } catch (error) {
      const waited = performance.now() - start;
      if (!isAway(error) || waited + pauseMs > limitMs) throw error;
      const why = sqlStateOf(error) ?? (error as Error).message;
      onTry(
        `waiting for the database (${why}), for ${Math.round((limitMs - waited) / 1000)} s more`,
      );
      await pause(pauseMs);
    }
  }
}

async function askForPrimary(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby) throw Object.assign(new Error('it is a standby'), { code: READ_ONLY });
}
