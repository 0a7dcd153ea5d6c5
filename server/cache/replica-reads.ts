import type pg from 'pg';
import { isBusy, isLost } from '#server/db/errors.ts';
import {
  isReading,
  type Position,
  PRIMARY_POSITION,
  ReplicaBehind,
  type Replicas,
  readingFrom,
} from '#server/db/replicas.ts';
import { retry, upTo } from '#server/db/transaction.ts';
import { positionToSee } from './request-position.ts';

export interface ReplicaReads {
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
