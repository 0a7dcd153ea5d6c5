import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/**
 * A position in the write-ahead log (PostgreSQL, section 28.5), in bytes. Everything committed
 * before it was read is below it.
 */
export type Position = number;

/** SQL for the position of the primary. */
export const PRIMARY_POSITION = "pg_current_wal_insert_lsn() - '0/0'::pg_lsn";

/** Read-only copies of the database, which may lag behind it. */
export interface Replicas {
  readonly pools: readonly pg.Pool[];
  /** The next replica that has replayed everything up to a position; null if none has. */
  caughtUpTo(position: Position): Promise<ReplicaSource | null>;
  close(): Promise<void>;
}

/** Connections to a replica that has replayed everything up to a position. */
export interface ReplicaSource {
  /** Throws `ReplicaBehind`. */
  connect(): Promise<pg.PoolClient>;
}

/** This connection leads to a replica that has not replayed everything that the read must see. */
export class ReplicaBehind extends Error {}

/** How long a replica is not used after an error. */
const REST_MS = 5000;

/** A promoted replica has everything that it will ever replay. */
const ASK = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0'::pg_lsn
  else ${PRIMARY_POSITION} end as position`;

class Replica {
  readonly pool: pg.Pool;
  #replayed: Position = 0;
  #restsUntil = 0;
  #asking: Promise<void> | null = null;
  /** Behind one address, a balancer may have several replicas. */
  readonly #replayedBy = new WeakMap<pg.PoolClient, Position>();

  constructor(pool: pg.Pool) {
    this.pool = pool;
    // It may come back with less data than before.
    pool.on('error', () => this.#rest());
  }

  async hasReplayed(position: Position): Promise<boolean> {
    if (performance.now() < this.#restsUntil) return false;
    if (this.#replayed < position) {
      this.#asking ??= this.#ask();
      await this.#asking;
    }
    return this.#replayed >= position;
  }

  async connect(position: Position): Promise<pg.PoolClient> {
    const client = await this.pool.connect();
    try {
      let replayed = this.#replayedBy.get(client) ?? 0;
      if (replayed < position) {
        replayed = await positionOf(client);
        this.#replayedBy.set(client, replayed);
      }
      if (replayed < position) throw new ReplicaBehind();
      return client;
    } catch (error) {
      client.release(!(error instanceof ReplicaBehind));
      throw error;
    }
  }

  async #ask() {
    try {
      this.#replayed = await positionOf(this.pool);
    } catch {
      this.#rest();
    }
    this.#asking = null;
  }

  #rest() {
    this.#replayed = 0;
    this.#restsUntil = performance.now() + REST_MS;
  }
}

async function positionOf(on: pg.Pool | pg.PoolClient): Promise<Position> {
  const { rows } = await on.query<{ position: Position }>(ASK);
  return rows[0]?.position ?? 0;
}

/** Uses the pools in turn. */
export function replicasOf(pools: readonly pg.Pool[]): Replicas {
  const replicas = pools.map((pool) => new Replica(pool));
  let turn = 0;
  return {
    pools,
    async caughtUpTo(position) {
      turn += 1;
      for (let at = 0; at < replicas.length; at += 1) {
        const replica = replicas[(turn + at) % replicas.length];
        if (replica && (await replica.hasReplayed(position))) {
          return { connect: () => replica.connect(position) };
        }
      }
      return null;
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const sources = new AsyncLocalStorage<ReplicaSource | null | undefined>();

/** Sends the queries of `read` to a replica; null: to the primary. */
export const readingFrom = <T>(source: ReplicaSource | null, read: () => T): T =>
  sources.run(source, read);

/** Runs work as a separate request rather than as part of the read that needs it. */
export const onItsOwn = <T>(work: () => PromiseLike<T>): Promise<T> =>
  // Lazy work must start here.
  sources.run(undefined, async () => await work());

/** Whether this is part of a read that `readingFrom` runs. */
export const isReading = (): boolean => sources.getStore() !== undefined;

/** Where the current request reads; null for the primary. */
export const readingSource = (): ReplicaSource | null => sources.getStore() ?? null;
