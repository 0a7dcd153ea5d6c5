import type { Clock } from '#server/anonymity/coarse-time.ts';
import { deriveKeys, type Keys } from '#server/anonymity/keys.ts';
import { type Config, loadConfig, takeSettings } from '#server/config/config.ts';
import { watchStoredSecrets } from '#server/config/stored-secrets.ts';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import type { Connections, Db } from '#server/db/open.ts';
import { type JobQueue, startJobs } from '#server/jobs/queue.ts';
import { claimKeys } from '#server/key-prints.ts';
import { type Terminal, warn } from './terminal.ts';

export interface CommandContext {
  readonly config: Config;
  readonly database: Connections;
  readonly db: Db;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly terminal: Terminal;
  /** Aborted on Ctrl-C. Long commands then stop early. */
  readonly signal: AbortSignal;
}

/** What a command requires of the database. */
export interface DatabaseNeeds {
  /** False: the command does not migrate. In a new database, migrations would prevent a restore. */
  readonly migrates?: boolean;
  /** True: the command runs without keys that the database was used with. */
  readonly takesOtherKeys?: boolean;
}

/** Runs work on the database. */
export type OnDatabase = (
  work: (context: CommandContext) => Promise<void>,
  needs?: DatabaseNeeds,
) => Promise<void>;

/** Turns work on the database and the command's arguments into the command's action. */
export type WithDatabase = <A extends unknown[]>(
  work: (context: CommandContext, ...args: A) => Promise<void>,
  needs?: DatabaseNeeds,
) => (...args: A) => Promise<void>;

/**
 * Runs commands on the configured database. The built-in one is started, or shared with the running
 * server, and released at the end.
 */
export function onConfiguredDatabase(terminal: Terminal): OnDatabase {
  return async (work, { migrates = true, takesOtherKeys = false } = {}) => {
    const config = loadConfig(takeSettings());
    const stop = new AbortController();
    const abort = () => stop.abort();
    // Before starting the built-in PostgreSQL, which would outlive this process.
    for (const signal of STOP_SIGNALS) process.once(signal, abort);
    let closing = false;
    const database = await connect(config, ({ message }) => {
      // The built-in server stops once released, possibly before the last connection has ended.
      if (!closing) warn(terminal, `database lost: ${message}`);
    });
    const keys = deriveKeys(config.secrets);
    // Commands have no time limit.
    const { background } = database;
    // A password prompt may stay open for longer than a key rotation takes.
    const unwatch = config.storesSecrets ? watchStoredSecrets(config.dataDir, keys.replace) : null;
    try {
      stop.signal.throwIfAborted();
      if (migrates) await migrate(background.pool);
      if (migrates && !takesOtherKeys) await claimKeys(background.pool, config.secrets);
      await work({
        config,
        database: background,
        db: background.db,
        keys,
        clock: () => new Date(),
        terminal,
        signal: stop.signal,
      });
    } finally {
      for (const signal of STOP_SIGNALS) process.off(signal, abort);
      unwatch?.();
      closing = true;
      await database.close();
    }
  };
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work with a job queue, for the mail that follows a change. */
export async function withJobs<T>(
  context: CommandContext,
  work: (deps: CommandContext & { jobs: JobQueue }) => Promise<T>,
): Promise<T> {
  const { terminal, database, keys } = context;
  const log = { warn: () => {}, error: (line: string) => warn(terminal, line) };
  const jobs = await startJobs({ database, keys, log });
  return work({ ...context, jobs }).finally(() => jobs.stop());
}
