import type { FastifyBaseLogger } from 'fastify';
import type { Author } from '#server/anonymity/author.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { PublicCache } from './cache/public-cache.ts';
import type { Config } from './config/config.ts';
import type { Database, Db } from './db/open.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { NpiRegistry } from './npi-registry/registry.ts';

/**
 * Moves what one author wrote to the keys of another. Accounts know when to, reviews know where it is.
 */
export interface HandOver {
  /** Reviews, votes, and reports. */
  everything(trx: Db, from: Author, to: Author): Promise<void>;
  /** Returns how many reviews moved. */
  reviews(trx: Db, from: Author, to: Author): Promise<number>;
}

/** The dependencies of features. Tests can replace any of them. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly db: Db;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly npiRegistry: NpiRegistry;
  readonly jobs: JobQueue;
  readonly cache: PublicCache;
  readonly metrics: Metrics;
  readonly handOver: HandOver;
  readonly log: FastifyBaseLogger;
}
