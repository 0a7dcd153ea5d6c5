import type { Config } from '#server/config.ts';
import { findPlace } from '#server/db/embedded/places.ts';
import { findRunning } from '#server/db/embedded/server.ts';
import { type Database, openDatabase } from '#server/db/open.ts';
import { OperatorError } from '#server/operator-error.ts';

/** Every transaction is read-only, so that a check cannot change anything. */
const SETTINGS = { max: 1, options: '-c default_transaction_read_only=on' };

/** Connects without migrating, and without starting anything. Returns what to do if it cannot. */
export async function reachDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<Database | string> {
  let database: Database | undefined;
  try {
    const connection = config.databaseUrl
      ? { connectionString: config.databaseUrl }
      : await embeddedConnection(config.dataDir);
    if (!connection) return 'the embedded database is not running: run npm start';
    database = openDatabase({ ...connection, ...SETTINGS }, () => {});
    await database.pool.query('select 1');
    return database;
  } catch (error) {
    await database?.close();
    return whatToDo(error);
  }
}

async function embeddedConnection(dataDir: string) {
  const running = await findRunning(findPlace(dataDir));
  return running && { ...running.connection, database: 'curbside' };
}

/** By code: the text of an error may quote settings. */
function whatToDo(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const [{ code = '' }] = (error instanceof AggregateError ? error.errors : [error]) as [
    { code?: string },
  ];
  if (code.startsWith('28')) return 'refuses the login: check user and password in DATABASE_URL';
  if (code === '3D000') return 'does not exist: create the database that DATABASE_URL names';
  if (code === '53300') return 'has no connections left: raise max_connections';
  if (code.startsWith('57P0')) return 'is starting or stopping: look at its log';
  const cause = code === '' ? 'no answer, or no TLS' : code;
  return `cannot be reached (${cause}): check host, port, and sslmode in DATABASE_URL`;
}
