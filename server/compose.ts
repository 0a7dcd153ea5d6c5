import { createNoopMeter, type Meter } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { handOverEverything, handOverReviews } from '#server/features/reviews/author-keys.ts';
import { type AppOptions, buildApp } from './app.ts';
import { openPublicCache, type PublicCache } from './cache/public-cache.ts';
import type { Config } from './config/config.ts';
import { watchStoredSecrets } from './config/stored-secrets.ts';
import type { Database } from './db/open.ts';
import { rewriteTables } from './db/rewrite.ts';
import type { Deps } from './deps.ts';
import { sendResetLink } from './features/accounts/password/password.ts';
import { retention } from './features/member/retention.ts';
import { staffDigest } from './features/office/digest.ts';
import { refreshTitles } from './features/reviews/position-titles/suggestions.ts';
import { reviewsDue } from './features/reviews/scheduled/scheduled-reviews.ts';
import { savedNewsMail, weeklyMail } from './features/saved/weekly-mail.ts';
import { verifyNpi } from './features/verification/registry-check.ts';
import { jobHandlers } from './jobs/handlers.ts';
import { type RunningJobs, startJobs } from './jobs/queue.ts';
import type { JobPayloads } from './jobs/settings.ts';
import type { Mailer } from './mail/mailer.ts';
import { Metrics } from './metrics/metrics.ts';
import { observeCaches, observeServer } from './metrics/observe-server.ts';
import { importedOr } from './npi-registry/imported.ts';
import type { NpiRegistry } from './npi-registry/registry.ts';

/** The parts that differ between the server, tests, and benchmarks. */
interface Parts extends Omit<AppOptions, 'deps'> {
  /** From `createApp`. Hooks that are added to it before run first. */
  readonly app: FastifyInstance;
  readonly config: Config;
  /** Migrated. Stays open when the composition is closed. */
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  /** For NPIs that are not in the imported registry. */
  readonly npiRegistry: NpiRegistry;
  readonly cache?: PublicCache;
  /** Default: none, so no metrics are published. */
  readonly meter?: Meter;
  readonly responseBytes?: number | undefined;
  /** Whether this server enqueues scheduled jobs. Default: true. */
  readonly schedule?: boolean;
}

export interface Composition extends AsyncDisposable {
  readonly deps: Deps;
  /** The same dependencies without request timeouts. */
  readonly inBackground: Deps;
  readonly jobs: RunningJobs;
  /** Starts the job workers. */
  work(): Promise<void>;
}

/** Assembles the whole server, but does not listen or run jobs. */
export async function compose(parts: Parts): Promise<Composition> {
  const { app, config, database, clock, mailer, responseBytes } = parts;
  const { log } = app;
  const { pool, db } = database.background;
  const undo = new AsyncDisposableStack();
  try {
    const keys = deriveKeys(config.secrets);
    if (config.storesSecrets) undo.defer(watchStoredSecrets(config.dataDir, keys.replace));
    const metrics = new Metrics(parts.meter ?? createNoopMeter(), clock);
    observeServer(metrics, { config, database, mailer, clock });
    const jobs = await startJobs({
      database: database.background,
      keys,
      log,
      schedule: parts.schedule,
      onEnd: metrics.jobEnded,
    });
    undo.defer(() => jobs.stop());
    let { cache } = parts;
    if (!cache) {
      // Counting hits costs more than finding an entry.
      const onRead = parts.meter && metrics.cacheRead;
      const { replicas } = database;
      const opened = await openPublicCache(pool, { responseBytes, replicas, onRead });
      observeCaches(metrics, opened.state, clock);
      undo.defer(() => opened.close());
      cache = opened;
    }
    const npiRegistry = importedOr(parts.npiRegistry, db);
    const deps: Deps = {
      config,
      database,
      db: database.db,
      keys,
      clock,
      mailer,
      npiRegistry,
      jobs,
      cache,
      metrics,
      handOver: { everything: handOverEverything, reviews: handOverReviews },
      log,
    };
    await buildApp(app, { ...parts, deps });
    undo.defer(() => app.stop(config.drainMs));
    const inBackground: Deps = { ...deps, db };
    const composed = {
      'saved-news': (payload: JobPayloads['saved-news']) => savedNewsMail(inBackground, payload),
    };
    const handlers = jobHandlers(deps, composed, {
      'verify-npi': verifyNpi(inBackground),
      'password-reset': sendResetLink(inBackground),
      'reviews-due': reviewsDue(inBackground),
      'weekly-mail': weeklyMail(inBackground),
      'staff-digest': staffDigest(inBackground),
      retention: retention(inBackground),
      rewrite: () => rewriteTables(pool),
      'refresh-titles': refreshTitles(inBackground),
    });
    const started = undo.move();
    return {
      deps,
      inBackground,
      jobs,
      work: () => jobs.work(handlers),
      [Symbol.asyncDispose]: () => started.disposeAsync(),
    };
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}
