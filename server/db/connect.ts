import type { Config } from '#server/config.ts';
import { startEmbedded } from './embedded/launch.ts';
import { type Database, openDatabase } from './open.ts';

/** Opens the configured database, or starts the embedded one. `close` reverts all of it. */
export async function connect(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onError: (error: Error) => void,
): Promise<Database> {
  if (config.databaseUrl) return openDatabase({ connectionString: config.databaseUrl }, onError);
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
