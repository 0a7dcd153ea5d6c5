import pg from 'pg';
import { LOCKS } from '#server/db/advisory-lock.ts';
import { sqlStateOf } from '#server/db/errors.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { TIME_OUTS } from '#server/time-outs.ts';

const LOCK_NOT_AVAILABLE = '55P03';
/** Resources, operator intervention, system errors, connections (PostgreSQL, appendix A). */
const STOPPED = /^(53|57|58|08)/;
/** Messages of pg and the socket. */
const LOST = /^(Connection terminated|Client has encountered a connection error|EPIPE|ECONNRESET)/;

/**
 * Opens the only connection that may change the registry. It is always closed at the end, which
 * releases the lock.
 * @throws OperatorError while another import is running, or if the database stops it
 */
export async function inRegistrySession<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener, a lost connection would end the process. The query fails in any case.
  client.on('error', () => {});
  try {
    await lock(client);
    return await work(client);
  } catch (error) {
    throw explain(error);
  } finally {
    client.release(true);
  }
}

async function lock(client: pg.PoolClient) {
  try {
    await client.query(`set lock_timeout = ${TIME_OUTS.registryLock.ms}`);
    await client.query('select pg_advisory_lock($1)', [LOCKS.registryImport]);
    await client.query('set lock_timeout = 0');
  } catch (error) {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorError('another import is running: wait until it finishes');
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isLost = LOST.test(error.message) || LOST.test(sqlStateOf(error) ?? '');
  const isStopped = error instanceof pg.DatabaseError && STOPPED.test(error.code ?? '');
  if (!isLost && !isStopped) return error;
  return new OperatorError(`the database stopped the import: ${error.message}\nrun it again`);
}
