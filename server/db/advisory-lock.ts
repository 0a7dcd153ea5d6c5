import type pg from 'pg';

/** Arbitrary numbers for session-level advisory locks (PostgreSQL, section 13.3.5). */
export const LOCKS = {
  /** One-time setup before a server works: migrations, the job queue, the demo data. */
  start: 7_346_214,
  registryImport: 7_346_215,
  keyRotation: 7_346_216,
  /**
   * The nightly rewrite, backups, and pending migrations, which must not wait for each other while
   * they have locked tables.
   */
  rewrite: 7_346_217,
  /** A whole restore, which also takes `start`. */
  restore: 7_346_218,
} as const;

/** Waits for the lock, and holds it on its own connection while the work runs. */
export async function holdingLock<T>(
  pool: pg.Pool,
  lock: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener, losing the connection would end the process. The queries fail anyway.
  client.on('error', () => {});
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    return await work(client);
  } finally {
    // Ending the session releases the lock, even if the connection is lost.
    client.release(true);
  }
}
