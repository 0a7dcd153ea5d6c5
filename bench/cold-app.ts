import type { KyselyPlugin } from 'kysely';
import { deriveKeys } from '#server/anonymity/keys.ts';
import { buildApp, createApp } from '#server/app.ts';
import { loadConfig } from '#server/config.ts';
import { type Db, openDatabase } from '#server/db/open.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { FreshCache } from '#server/plugins/fresh-cache.ts';
import { productionBuild } from '#server/plugins/pages.ts';
import type { PublicCache } from '#server/plugins/public-cache.ts';
import { settingsFor } from './settings.ts';

/** No count, no answer, nothing: every request is the first one after a change. */
const NOTHING_KEPT: PublicCache = {
  changed() {},
  remember: (_topics, _key, compute) => compute(),
  answers: new FreshCache({ capacity: 0, weigh: () => null }),
};

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The whole server but its port, on a database that is filled; each query is told of as it is asked. */
export async function buildColdApp(databaseUrl: string, tell?: (statement: Statement) => void) {
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
    db: tell ? database.db.withPlugin(telling(database.db, tell)) : database.db,
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

function telling(db: Db, tell: (statement: Statement) => void): KyselyPlugin {
  return {
    transformQuery({ node, queryId }) {
      tell(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
