import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { isBusy, isLost } from '#server/db/errors.ts';
import { listen } from '#server/db/listen.ts';
import {
  isReading,
  type Position,
  PRIMARY_POSITION,
  ReplicaBehind,
  type Replicas,
  readingFrom,
  replicasOf,
} from '#server/db/replicas.ts';
import type { Topic } from '#server/db/topics.ts';
import { retry, upTo } from '#server/db/transaction.ts';
import { type CachedResponse, weightOf } from './cached-response.ts';
import { TopicCache } from './topic-cache.ts';
import { CHANNEL, POSITION_MARK, positionToSee } from './write-position.ts';

interface ReplicaReads {
  /**
   * Reads from a replica that has replayed every change that this server was notified of, and the
   * caller's own writes; from the primary if there is none, or if it fails. Call it after a cache
   * has registered the read, so that no later change is missed.
   */
  read<T>(read: () => Promise<T>): Promise<T>;
  /** A change whose position is not known yet may exist: until it is known, reads use the primary. */
  heardOfChange(): void;
}

/** A failover breaks the pool's connections. The first read on each of them finds out. */
const RETRIES = {
  isWorthIt: isLost,
  tries: 4,
  pauseMs: (attempt: number) => 50 * attempt + upTo(100 * attempt),
};

/** Only the outermost of nested reads is retried. */
const fromPrimary = <T>(read: () => Promise<T>): Promise<T> =>
  isReading() ? readingFrom(null, read) : retry(RETRIES, () => readingFrom(null, read));

const NO_REPLICAS: ReplicaReads = { read: fromPrimary, heardOfChange() {} };

/** `primary` is a pool on the primary server itself. */
export function replicaReads(primary: pg.Pool, replicas: Replicas): ReplicaReads {
  if (replicas.pools.length === 0) return NO_REPLICAS;
  let heard: Position | null = null;
  let changes = 0;
  let isLearning = false;

  const learn = async () => {
    if (isLearning) return;
    isLearning = true;
    try {
      while (heard === null) {
        const asOf = changes;
        // Queried after the notification, so the result is above the notified change.
        const { rows } = await primary.query<{ position: Position }>(
          `select ${PRIMARY_POSITION} as position`,
        );
        if (asOf === changes) heard = rows[0]?.position ?? 0;
      }
    } catch {
      // Reads use the primary until the next change.
    } finally {
      isLearning = false;
    }
  };

  return {
    async read(read) {
      const replica =
        heard === null ? null : await replicas.caughtUpTo(Math.max(heard, positionToSee()));
      if (!replica) return fromPrimary(read);
      try {
        return await readingFrom(replica, read);
      } catch (error) {
        // For example, a query that the standby cancels in order to continue replaying.
        if (!(error instanceof ReplicaBehind) && !isBusy(error)) throw error;
        return fromPrimary(read);
      }
    },
    heardOfChange() {
      changes += 1;
      heard = null;
      void learn();
    },
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Topics that the route may change. */
    changes?: readonly Topic[];
  }
}

/** Entries stay in this process until a commit on any server changes one of their topics. */
export interface PublicCache {
  /** Returns the cached value of `key`, or computes it once for all callers. */
  remember<T>(topics: readonly Topic[], key: string, compute: () => Promise<T>): Promise<T>;
  /** Responses of public routes by URL (server/cache/response-cache.ts). */
  readonly responses: TopicCache<CachedResponse>;
  /** Removes all entries with these topics. */
  changed(topics: readonly Topic[]): void;
  /** This server has been notified of all changes below this position. */
  caughtUpTo(): Position;
}

/** Cache numbers for the metrics. */
export interface CacheState {
  readonly isListening: boolean;
  readonly caches: Readonly<Record<CacheName, Pick<TopicCache<unknown>, 'weight' | 'capacity'>>>;
}
export type CacheName = 'responses' | 'values';

export interface ListeningCache extends PublicCache {
  state(): CacheState;
  close(): Promise<void>;
}

const RESPONSE_BYTES = 64 * 1024 * 1024;
/** An entry, its promise, and its place in the map. */
const OVERHEAD_BYTES = 512;

/** Keys count too, because they contain search texts. */
export const VALUE_BOUNDS = {
  capacity: 16 * 1024 * 1024,
  weigh: (key: string, value: unknown) =>
    OVERHEAD_BYTES + 2 * (key.length + (JSON.stringify(value)?.length ?? 0)),
};

interface CacheOptions {
  readonly responseBytes?: number | undefined;
  readonly replicas?: Replicas;
  /** Called for each read of a cache. */
  readonly onRead?: ((cache: CacheName, isHit: boolean) => void) | undefined;
}

/**
 * Opens the cache. It learns of commits by NOTIFY on the pool, and stores nothing new while
 * disconnected.
 */
export async function openPublicCache(
  pool: pg.Pool,
  { responseBytes = RESPONSE_BYTES, replicas = replicasOf([]), onRead }: CacheOptions = {},
): Promise<ListeningCache> {
  const reads = replicaReads(pool, replicas);
  const values = new TopicCache<unknown>({
    ...VALUE_BOUNDS,
    through: reads.read,
    onRead: (isHit) => onRead?.('values', isHit),
  });
  const responses = new TopicCache<CachedResponse>({
    capacity: responseBytes,
    weigh: weightOf,
    through: reads.read,
    onRead: (isHit) => onRead?.('responses', isHit),
  });
  const changed = (topics: readonly string[]) => {
    reads.heardOfChange();
    for (const cache of [values, responses]) cache.changed(topics);
  };
  let caughtUpTo = 0;
  const setListening = (isListening: boolean) => {
    // Another server may have become the primary, with other positions.
    caughtUpTo = 0;
    reads.heardOfChange();
    for (const cache of [values, responses]) cache.setListening(isListening);
  };
  const channel = await listen(
    pool,
    CHANNEL,
    (payload) => {
      if (!payload.startsWith(POSITION_MARK)) return changed([payload]);
      caughtUpTo = Math.max(caughtUpTo, Number(payload.slice(POSITION_MARK.length)));
    },
    () => setListening(true),
    () => setListening(false),
  );
  return {
    changed,
    responses,
    caughtUpTo: () => caughtUpTo,
    remember: <T>(topics: readonly Topic[], key: string, compute: () => Promise<T>) =>
      values.remember(key, topics, compute) as Promise<T>,
    state: () => ({ isListening: responses.isListening, caches: { responses, values } }),
    close: () => channel.close(),
  };
}

/**
 * Before a response is sent, invalidates the topics that its route changes. The commit notifies other
 * servers. It also notifies this one, which relies on that after a 5xx: that may have committed, but
 * an outage must not empty the cache.
 */
export function invalidateChanges(app: FastifyInstance, cache: PublicCache) {
  app.addHook('onSend', async (request, { statusCode }) => {
    const { changes } = request.routeOptions.config;
    if (changes && statusCode < 400) cache.changed(changes);
  });
}
