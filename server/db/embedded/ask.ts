import pg from 'pg';
import { OperatorError } from '#server/operator-error.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { codeOf } from './error.ts';

export interface Connection {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Otherwise `PGSSLMODE` counts, and the server has no certificate. */
  readonly ssl: false;
}

/** `starting` includes stopping: there is a process that accepts no connections right now. */
export type Answer = 'ready' | 'starting' | 'silent';

const CANNOT_CONNECT_NOW = '57P03';

/** Finds the state by opening a real connection, so that `ready` means that connecting works. */
export async function ask(connection: Connection): Promise<Answer> {
  try {
    await query(connection, 'SELECT 1');
    return 'ready';
  } catch (error) {
    if (codeOf(error) === CANNOT_CONNECT_NOW) return 'starting';
    if (error instanceof pg.DatabaseError) {
      throw new OperatorError(
        `The PostgreSQL server that runs on the data folder rejects Curbside (${error.message}): stop that server, or set DATA_DIR to another folder.`,
      );
    }
    // It may belong to somebody else. Otherwise the connection was refused, reset, or timed out.
    if (codeOf(error) === 'EACCES') throw error;
    return 'silent';
  }
}

/** Creates the connection's database if it is missing. */
export async function ensureDatabase(connection: Connection): Promise<void> {
  const { database } = connection;
  const found = await query(connection, 'SELECT FROM pg_database WHERE datname = $1', [database]);
  if (found.length === 0) {
    await query(connection, `CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  }
}

/** Runs a query on the database that every cluster has. */
async function query(
  connection: Connection,
  text: string,
  values: string[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: TIME_OUTS.embeddedConnection.ms,
  });
  // A lost connection also rejects the query. Without a listener, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}
