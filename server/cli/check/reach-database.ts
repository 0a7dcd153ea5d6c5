import type pg from 'pg';
import type { Config } from '#server/config/config.ts';
import { findPlace } from '#server/db/embedded/places.ts';
import { findRunning } from '#server/db/embedded/server.ts';
import { type Database, openDatabase } from '#server/db/open.ts';
import { OperatorError } from '#server/errors/operator-error.ts';

/** Every transaction is read-only, so that a check cannot change anything. */
const SETTINGS = { max: 2, options: '-c default_transaction_read_only=on' };

/** Connects to the server itself, or to the embedded one if it runs. Otherwise returns what to do. */
export async function reachDatabase({
  databaseUrl,
  directUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'directUrl' | 'dataDir'>): Promise<Database | string> {
  if (directUrl) return reachUrl(directUrl, 'DATABASE_DIRECT_URL');
  if (databaseUrl) return reachUrl(databaseUrl, 'DATABASE_URL');
  try {
    const running = await findRunning(findPlace(dataDir));
    if (!running) return 'the embedded database is not running: run npm start';
    return await reach({ ...running.connection, database: 'curbside' }, 'DATA_DIR');
  } catch (error) {
    return whatToDo(error, 'DATA_DIR');
  }
}

export const reachUrl = (connectionString: string, setting: string): Promise<Database | string> =>
  reach({ connectionString }, setting);

/** Connects without migrating or starting anything. If it cannot, returns what to do. */
async function reach(connection: pg.PoolConfig, setting: string): Promise<Database | string> {
  let database: Database | undefined;
  try {
    database = openDatabase({ ...connection, ...SETTINGS }, () => {});
    await database.pool.query('select 1');
    return database;
  } catch (error) {
    await database?.close();
    return whatToDo(error, setting);
  }
}

/** By code: an error's text may quote settings. */
function whatToDo(error: unknown, setting: string): string {
  if (error instanceof OperatorError) return error.message;
  const [{ code = '' }] = (error instanceof AggregateError ? error.errors : [error]) as [
    { code?: string },
  ];
  if (code.startsWith('28')) return `rejects the login: check user and password in ${setting}`;
  if (code === '3D000') return `does not exist: create the database that ${setting} names`;
  if (code === '53300') return 'has no connections left: raise max_connections';
  if (code.startsWith('57P0')) return 'is starting or stopping: check its log';
  // A driver's error about the login, before the server sees it.
  if (error instanceof Error && error.message.startsWith('SASL')) {
    return `wants a password: add the one of its user to ${setting}`;
  }
  const cause = code === '' ? 'no response, or no TLS' : code;
  return `cannot be reached (${cause}): check host, port, and sslmode in ${setting}`;
}
