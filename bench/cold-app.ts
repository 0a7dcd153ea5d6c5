import type { KyselyPlugin } from 'kysely';
import type { PublicCache } from '#server/cache/public-cache.ts';
import { TopicCache } from '#server/cache/topic-cache.ts';
import { compose } from '#server/compose.ts';
import { type Config, loadConfig } from '#server/config/config.ts';
import { type Db, openDatabase } from '#server/db/open.ts';
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

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * The whole server without a port, on an existing database. Calls `onStatement` with each query.
 */
export async function buildColdApp(
  databaseUrl: string,
  onStatement?: (statement: Statement) => void,
  changed: Partial<Config> = {},
) {
  const config = { ...loadConfig(settingsFor(databaseUrl)), ...changed };
  const app = createApp(config, () => {});
  const database = openDatabase({ connectionString: databaseUrl }, () => {});
  const { db } = database;
  const server = await compose({
    app,
    config,
    database: {
      ...database,
      db: onStatement ? db.withPlugin(reportStatements(db, onStatement)) : db,
    },
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

function reportStatements(db: Db, onStatement: (statement: Statement) => void): KyselyPlugin {
  return {
    transformQuery({ node, queryId }) {
      onStatement(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
