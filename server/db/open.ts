import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from './types.ts';

export type Db = Kysely<DB>;

export interface Database {
  readonly db: Db;
  /** The one pool, for what Kysely does not do: migrations, COPY, LISTEN, the job queue. */
  readonly pool: pg.Pool;
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

const names = new Map<string, string>();

/** PostgreSQL keeps a plan per name and connection: the same text must have the same name. */
function statementName(sql: string): string {
  let name = names.get(sql);
  if (!name) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 24);
    names.set(sql, name);
  }
  return name;
}

/** Sends what Kysely compiles as named prepared statements: two to three times the throughput. */
class NamedStatementClient {
  private readonly client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  query(sql: string, values: unknown[]) {
    return this.client.query(
      values.length > 0 ? { name: statementName(sql), text: sql, values } : sql,
    );
  }

  release() {
    this.client.release();
  }
}

/**
 * What the plans in docs/queries.md are made with: data in memory, room for the bitmap of a common
 * word, each query on one processor as many are asked at once, and no machine code compiled for
 * what takes milliseconds.
 */
const PLANNING = `-c random_page_cost=1.1 -c work_mem=16MB -c max_parallel_workers_per_gather=0
  -c jit=off`;

/** What makes a connection answer as the server's do. */
export const SESSION = { types, options: PLANNING };

/** Opens the pool. `onError` hears of connections lost while idle. */
export function openDatabase(config: pg.PoolConfig, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({ max: 20, ...SESSION, ...config });
  let closing = false;
  // A connection that is being closed may still hear that the server is closing too.
  pool.on('error', (error) => closing || onError(error));
  const dialect = new PostgresDialect({
    pool: {
      connect: async () => new NamedStatementClient(await pool.connect()) as never,
      // Ended below: Kysely ends only a pool that it has used.
      end: async () => {},
      options: pool.options as never,
    },
  });
  const db = new Kysely<DB>({ dialect });
  const close = async () => {
    closing = true;
    await db.destroy();
    await pool.end();
  };
  return { db, pool, close };
}
