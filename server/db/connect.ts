import type { Config } from '#server/config/config.ts';
import { startEmbedded } from './embedded/launch.ts';
import { type Database, openDatabase } from './open.ts';

/** Opens the configured database, or starts the embedded one. `close` undoes both. */
export async function connect(
  config: Pick<Config, 'databaseUrl' | 'directUrl' | 'replicaUrls' | 'namedStatements' | 'dataDir'>,
  onError: (error: Error) => void,
): Promise<Database> {
  const { databaseUrl, directUrl, replicaUrls, namedStatements } = config;
  if (databaseUrl) {
    return openDatabase(to(databaseUrl), onError, {
      named: namedStatements,
      ...(directUrl && { direct: to(directUrl) }),
      replicas: replicaUrls.map(to),
    });
  }
  const embedded = await startEmbedded({ dataDir: config.dataDir });
  const database = openDatabase(embedded.connection, onError);
  return {
    ...database,
    async close() {
      await database.close();
      await embedded.stop();
    },
  };
}

const to = (connectionString: string) => ({ connectionString });
