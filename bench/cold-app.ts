import type { KyselyPlugin } from 'kysely';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { buildApp, createApp } from '#server/app.ts';
import type { PublicCache } from '#server/cache/public-cache.ts';
import { TopicCache } from '#server/cache/topic-cache.ts';
import { loadConfig } from '#server/config.ts';
import { type Db, openDatabase } from '#server/db/open.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { productionBuild } from '#server/plugins/pages.ts';
import { settingsFor } from './settings.ts';

/** Every request is the first one after a change. */
const NOTHING_KEPT: PublicCache = {
  changed() {},
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
) {
  const config = loadConfig(settingsFor(databaseUrl));
  const app = createApp(config, () => {});
  const database = openDatabase({ connectionString: databaseUrl }, () => {});
  const keys = deriveKeys(config.secrets);
  const jobs = await startJobs({ database: database.background, keys, log: app.log });
  app.addHook('onClose', async () => {
    await jobs.stop();
    await database.close();
  });
  const deps = {
    config,
    database,
    db: onStatement
      ? database.db.withPlugin(reportStatements(database.db, onStatement))
      : database.db,
    keys,
    clock: () => new Date(),
    mailer: { send: async () => {} },
    npiRegistry: { lookUp: async () => ({ kind: 'unknown' }) as const },
    jobs,
    cache: NOTHING_KEPT,
    log: app.log,
  };
  return buildApp(app, { deps, pageSource: productionBuild });
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
