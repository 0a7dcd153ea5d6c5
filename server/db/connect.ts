import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '#server/config/config.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { startEmbedded } from './embedded/launch.ts';
import { isBusy, sqlStateOf } from './errors.ts';
import { type Database, openDatabase } from './open.ts';

/** Opens the configured database, or starts the embedded one. `close` undoes both. */
export async function connect(
  config: Pick<Config, 'databaseUrl' | 'directUrl' | 'replicaUrls' | 'namedStatements' | 'dataDir'>,
  onError: (error: Error) => void,
): Promise<Database> {
  const { databaseUrl, directUrl, replicaUrls, namedStatements } = config;
  if (databaseUrl) {
    return openDatabase(to(databaseUrl), onError, {
      named: namedStatements,
      ...(directUrl && { direct: to(directUrl) }),
      replicas: replicaUrls.map(to),
    });
  }
  const embedded = await startEmbedded({ dataDir: config.dataDir });
  const database = openDatabase(embedded.connection, onError);
  return {
    ...database,
    async close() {
      await database.close();
      await embedded.stop();
    },
  };
}

const to = (connectionString: string) => ({ connectionString });

const PAUSE_MS = 2000;
/** A standby's error for a write: read_only_sql_transaction. */
const READ_ONLY = '25006';

/** The most common reasons in words. */
const REASONS: Readonly<Record<string, string>> = {
  [READ_ONLY]: 'it is a standby',
  '3D000': 'it does not exist',
  '53300': 'it has no connections left',
  '57P01': 'it is stopping',
  '57P03': 'it is starting or stopping',
};

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
    const asked = performance.now();
    try {
      return await askForPrimary(pool);
    } catch (error) {
      const now = performance.now();
      const waited = now - start;
      // The next attempt may take as long as this one.
      if (!isBusy(error) || waited + pauseMs + now - asked > limitMs) throw error;
      const code = sqlStateOf(error);
      const why = REASONS[code ?? ''] ?? code ?? (error as Error).message;
      onTry(
        `waiting for the database (${why}), for ${Math.round((limitMs - waited) / 1000)} s more`,
      );
      await pause(pauseMs);
    }
  }
}

/** This timeout only applies here: migrations and jobs may take longer. */
const IS_STANDBY = {
  text: 'select pg_is_in_recovery() as standby',
  query_timeout: TIME_OUTS.databaseAnswer.ms,
};

async function askForPrimary(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ standby: boolean }>(IS_STANDBY);
  if (rows[0]?.standby) throw Object.assign(new Error('it is a standby'), { code: READ_ONLY });
}
