import type { PublicCache } from '#server/cache/public-cache.ts';
import { TopicCache } from '#server/cache/topic-cache.ts';
import { compose } from '#server/compose.ts';
import { loadConfig } from '#server/config/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { createApp } from '#server/http/create-app.ts';
import { productionBuild } from '#server/pages/pages.ts';
import { settingsFor } from './processes.ts';

/** Caches nothing, so every request runs its queries. */
export const NOTHING_KEPT: PublicCache = {
  changed() {},
  caughtUpTo: () => 0,
  remember: (_topics, _key, compute) => compute(),
  responses: new TopicCache({ capacity: 1, weigh: () => null }),
};

/** The whole server without a port and without limits, on an existing database. */
export async function buildColdApp(databaseUrl: string) {
  const config = { ...loadConfig(settingsFor(databaseUrl)), rateLimitFactor: 1_000_000 };
  const app = createApp(config, () => {});
  const database = openDatabase({ connectionString: databaseUrl }, () => {});
  const server = await compose({
    app,
    config,
    database,
    clock: () => new Date(),
    mailer: { send: async () => {} },
    npiRegistry: { lookUp: async () => ({ kind: 'unknown' }) },
    cache: NOTHING_KEPT,
    pageSource: productionBuild,
  });
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await database.close();
  };
  return { app, deps: server.deps, close };
}
