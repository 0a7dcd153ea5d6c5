import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { TIME_OUTS } from '#server/time-outs.ts';
import { StatementNames } from './statements.ts';
import type { DB } from './types.ts';

export type Db = Kysely<DB>;

/** Connections to the database, and Kysely on them. */
export interface Connections {
  readonly db: Db;
  /** For what Kysely does not do: migrations, COPY, LISTEN, the job queue. */
  readonly pool: pg.Pool;
}

/** What requests use, under their time-outs. */
export interface Database extends Connections {
  /** Without time-outs: migrations, jobs, the nightly rewrite, commands, LISTEN. */
  readonly background: Connections;
  /** How many SQL texts have a name, in this process. */
  namedStatements(): number;
  close(): Promise<void>;
}

const { builtins } = pg.types;
const parsers = new Map<number, (text: string) => unknown>([
  // Counts and sums here stay far below 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  // A day is a day, whatever the process's time zone.
  [builtins.DATE, (text) => text],
]);

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const names = new StatementNames();

/** Told of each SQL text that Kysely sends. */
type Watch = (text: string) => void;

/** Sends what Kysely compiles as named prepared statements: two to three times the throughput. */
class NamedStatementClient {
  readonly #client: pg.PoolClient;
  readonly #watch: Watch | undefined;
  /** Why the connection ended while nothing was being asked, such as the time-out of a transaction. */
  #lost: Error | undefined;
  readonly #onError = (error: Error) => {
    this.#lost ??= error;
  };

  constructor(client: pg.PoolClient, watch?: Watch) {
    this.#client = client;
    this.#watch = watch;
    // The pool listens only while the connection is idle: unheard, the error would end the process.
    client.on('error', this.#onError);
  }

  async query(text: string, values: unknown[]) {
    if (this.#lost) throw this.#lost;
    this.#watch?.(text);
    if (values.length === 0) return this.#client.query(text);
    const name = names.of(text);
    return this.#client.query(name ? { name, text, values } : { text, values });
  }

  release(error?: boolean) {
    this.#client.release(error);
    this.#client.off('error', this.#onError);
  }
}

/**
 * What the plans in docs/queries.md are made with: data in memory, room for the bitmap of a common
 * word, each query on one processor as many are asked at once, and no machine code compiled for
 * what takes milliseconds.
 */
const PLANNING = `-c random_page_cost=1.1 -c work_mem=16MB -c max_parallel_workers_per_gather=0
  -c jit=off`;

const REQUEST_TIME_OUTS = `-c statement_timeout=${TIME_OUTS.statement.ms}
  -c lock_timeout=${TIME_OUTS.lock.ms}
  -c idle_in_transaction_session_timeout=${TIME_OUTS.idleTransaction.ms}`;

/** What makes a connection answer as the server's do. */
export const SESSION = { types, options: PLANNING };

/** Those of the job queue, LISTEN, and the handlers of jobs. */
const BACKGROUND_CONNECTIONS = 8;

/**
 * Opens the pools; they connect when first used. `onError` hears of connections lost while idle,
 * `watch` of every SQL text sent (for tests).
 */
export function openDatabase(
  config: pg.PoolConfig,
  onError: (error: Error) => void,
  watch?: Watch,
): Database {
  let closing = false;
  const open = (settings: pg.PoolConfig, options: string[]): Connections => {
    const pool = new pg.Pool({
      ...SESSION,
      ...config,
      ...settings,
      options: [PLANNING, ...options, config.options ?? ''].join(' '),
    });
    // A connection that is being closed may still hear that the server is closing too.
    pool.on('error', (error) => closing || onError(error));
    return { pool, db: kyselyOn(pool, watch) };
  };
  const requests = open(
    { max: config.max ?? 20, connectionTimeoutMillis: TIME_OUTS.connection.ms },
    [REQUEST_TIME_OUTS],
  );
  const background = open({ max: BACKGROUND_CONNECTIONS }, []);
  const close = async () => {
    closing = true;
    for (const { db, pool } of [requests, background]) {
      await db.destroy();
      await pool.end();
    }
  };
  return { ...requests, background, namedStatements: () => names.size, close };
}

function kyselyOn(pool: pg.Pool, watch?: Watch): Db {
  const dialect = new PostgresDialect({
    pool: {
      connect: async () => new NamedStatementClient(await pool.connect(), watch) as never,
      // Ended by `close`: Kysely ends only a pool that it has used.
      end: async () => {},
      options: pool.options as never,
    },
  });
  return new Kysely<DB>({ dialect });
}
