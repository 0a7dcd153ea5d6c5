import type pg from 'pg';
import { expect } from 'vitest';
import type { Site } from '#server/testing/site.ts';
import { waitingForLocks } from './index-keys.ts';

/** Starts the work while another connection has an open transaction, which ends first. */
export async function besideOther<T>(
  { deps }: Site,
  other: (client: pg.PoolClient) => Promise<unknown>,
  work: () => Promise<T>,
  meanwhile?: (client: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  const client = await deps.database.background.pool.connect();
  try {
    await client.query('begin');
    await other(client);
    const done = work();
    await expect.poll(() => waitingForLocks(deps.db)).toBeGreaterThan(0);
    await meanwhile?.(client);
    await client.query('commit');
    return await done;
  } finally {
    client.release();
  }
}
