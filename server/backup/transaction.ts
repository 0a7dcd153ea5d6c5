import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

type Isolation = 'read committed' | 'repeatable read';

/**
 * Runs work in one transaction, both with Kysely and with the client itself, for COPY. Closes the
 * connection afterward.
 */
export async function onOneConnection<T>(
  pool: pg.Pool,
  isolation: Isolation,
  work: (client: pg.PoolClient, trx: Db) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener, losing the connection would end the process. The queries fail anyway.
  client.on('error', () => {});
  // A rollback would wait for a COPY that nobody reads anymore. Closing the connection rolls back.
  let failed = false;
  const query = async (text: string, values: unknown[]) =>
    failed ? { rows: [] } : client.query(text, values);
  const dialect = new PostgresDialect({
    pool: { connect: async () => ({ query, release() {} }), end: async () => {} } as never,
  });
  try {
    return await new Kysely<DB>({ dialect })
      .transaction()
      .setIsolationLevel(isolation)
      .execute((trx) =>
        work(client, trx).catch((error: unknown) => {
          failed = true;
          throw error;
        }),
      );
  } finally {
    client.release(true);
  }
}
