import type { PublicCache } from '#server/cache/public-cache.ts';
import { TopicCache } from '#server/cache/topic-cache.ts';
import { compose } from '#server/compose.ts';
import { type Config, loadConfig } from '#server/config/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { createApp } from '#server/http/create-app.ts';
import { productionBuild } from '#server/pages/pages.ts';
import { settingsFor } from './settings.ts';

/** Caches nothing, so every request runs its queries. */
export const NOTHING_KEPT: PublicCache = {
  changed() {},
  caughtUpTo: () => 0,
  remember: (_topics, _key, compute) => compute(),
  responses: new TopicCache({ capacity: 1, weigh: () => null }),
};

/** The whole server without a port, on an existing database. */
export async function buildColdApp(databaseUrl: string, changed: Partial<Config> = {}) {
  const config = { ...loadConfig(settingsFor(databaseUrl)), ...changed };
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
