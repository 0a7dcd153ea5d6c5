import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { TIME_OUTS, within } from '#server/time-outs.ts';
import { traced } from '#server/tracing/traced.ts';
import { isStale, isUnanswered } from './errors.ts';
import { type ReplicaSource, type Replicas, readingSource, replicasOf } from './replicas.ts';
import { StatementNames } from './statements.ts';
import type { DB } from './types.ts';

export type Db = Kysely<DB>;

/** A connection pool, and Kysely on top of it. */
export interface Connections {
  readonly db: Db;
  /** For what Kysely does not support: migrations, COPY, LISTEN, the job queue. */
  readonly pool: pg.Pool;
}

/** The pool for requests, with timeouts. */
export interface Database extends Connections {
  /** Without timeouts or poolers: migrations, jobs, the nightly rewrite, commands, LISTEN. */
  readonly background: Connections;
  /** Pools for public reads. */
  readonly replicas: Replicas;
  /** The number of SQL texts that have a name. */
  namedStatements(): number;
  close(): Promise<void>;
}

const { builtins } = pg.types;
const parsers = new Map<number, (text: string) => unknown>([
  // Counts and sums here stay far below 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  // Dates stay text, independent of the process's time zone.
  [builtins.DATE, (text) => text],
]);

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

interface Statements {
  /** Undefined for poolers that change the connection between statements. */
  readonly names?: StatementNames | undefined;
  /** Called with each SQL text that Kysely sends. */
  readonly watch?: ((text: string) => void) | undefined;
}

/** How to reach the database, besides the connection for requests, which may go through a pooler. */
interface Routes extends Pick<Statements, 'watch'> {
  /** False for poolers that change the connection between statements. Default: true. */
  readonly named?: boolean;
  /** For anything that needs a session: LISTEN, advisory locks, COPY. Default: as for requests. */
  readonly direct?: pg.PoolConfig;
  readonly replicas?: readonly pg.PoolConfig[];
}

/** Sends Kysely's queries as named prepared statements: two to three times the throughput. */
class StatementClient {
  readonly #client: pg.PoolClient;
  readonly #how: Statements;
  /** Why the connection was lost between two statements, for example by a transaction timeout. */
  #lost: Error | undefined;
  /** Whether a statement prepared on this connection no longer works. */
  #isStale = false;
  readonly #onError = (error: Error) => {
    this.#lost ??= error;
  };

  constructor(client: pg.PoolClient, how: Statements) {
    this.#client = client;
    this.#how = how;
    // The pool only listens on idle connections, and an unhandled error would end the process.
    client.on('error', this.#onError);
  }

  async query(text: string, values: unknown[]) {
    if (this.#lost) throw this.#lost;
    this.#how.watch?.(text);
    const name = values.length === 0 ? undefined : this.#how.names?.of(text);
    try {
      return await traced('database', () =>
        this.#client.query({ ...(name && { name }), text, values }),
      );
    } catch (error) {
      if (isUnanswered(error)) this.#lost = error as Error;
      this.#isStale ||= isStale(error);
      throw error;
    }
  }

  /** Closes the connection instead if it is no longer usable. */
  release(error?: boolean) {
    this.#client.release(error || this.#isStale || this.#lost !== undefined);
    this.#client.off('error', this.#onError);
  }
}

/**
 * The settings behind the plans in docs/queries.md: data in memory, room for the bitmap of a common
 * word, one CPU per query because many run at once, and no JIT for queries of milliseconds.
 */
const PLANNING = `-c random_page_cost=1.1 -c work_mem=16MB -c max_parallel_workers_per_gather=0
  -c jit=off`;

const REQUEST_TIME_OUTS = `-c statement_timeout=${TIME_OUTS.statement.ms}
  -c lock_timeout=${TIME_OUTS.lock.ms}
  -c idle_in_transaction_session_timeout=${TIME_OUTS.idleTransaction.ms}`;

/** Makes a connection behave like the server's. */
export const SESSION = { types, options: PLANNING };

/** Most connections of a process: for requests; and for the job queue, LISTEN, and job handlers. */
export const CONNECTIONS = { requests: 20, background: 8 };

/**
 * Opens the pools; they connect on first use. `onError` is called for connections lost while idle.
 */
export function openDatabase(
  config: pg.PoolConfig,
  onError: (error: Error) => void,
  { direct = config, replicas = [], named = true, watch }: Routes = {},
): Database {
  let closing = false;
  const names = new StatementNames();
  const open = (to: pg.PoolConfig, settings: pg.PoolConfig, options: string[]): pg.Pool => {
    const pool = new pg.Pool({
      ...SESSION,
      keepAlive: true,
      ...to,
      ...settings,
      // PgBouncer parses this, and rejects other whitespace.
      options: [PLANNING, ...options, to.options ?? ''].join(' ').trim().replaceAll(/\s+/g, ' '),
    });
    // A closing connection may still report the server's shutdown.
    pool.on('error', (error) => closing || onError(error));
    return pool;
  };
  const max = config.max ?? CONNECTIONS.requests;
  const query_timeout = TIME_OUTS.answer.ms;
  const requests = open(
    config,
    { max, query_timeout, connectionTimeoutMillis: TIME_OUTS.connection.ms },
    [REQUEST_TIME_OUTS],
  );
  const background = open(
    direct,
    { max: CONNECTIONS.background, connectionTimeoutMillis: TIME_OUTS.backgroundConnection.ms },
    [],
  );
  const copies = replicasOf(
    replicas.map((to) =>
      open(to, { max, query_timeout, connectionTimeoutMillis: TIME_OUTS.replica.ms }, [
        REQUEST_TIME_OUTS,
      ]),
    ),
  );
  const db = kyselyOn(requests, () => readingSource() ?? requests, {
    names: named ? names : undefined,
    watch,
  });
  const backgroundDb = kyselyOn(background, () => background, { names, watch });
  const close = async () => {
    closing = true;
    await Promise.all([db.destroy(), backgroundDb.destroy()]);
    const ended = Promise.all([requests.end(), background.end(), copies.close()]);
    // A silent server never confirms the end.
    await within(ended, TIME_OUTS.databaseStop.ms);
  };
  return {
    db,
    pool: requests,
    background: { db: backgroundDb, pool: background },
    replicas: copies,
    namedStatements: () => names.size,
    close,
  };
}

function kyselyOn(pool: pg.Pool, sourceNow: () => pg.Pool | ReplicaSource, how: Statements): Db {
  const dialect = new PostgresDialect({
    pool: {
      connect: async () => new StatementClient(await sourceNow().connect(), how) as never,
      // `close` ends the pool. Kysely would end it only if it had been used.
      end: async () => {},
      options: pool.options as never,
    },
  });
  return new Kysely<DB>({ dialect });
}
