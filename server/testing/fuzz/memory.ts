import type pg from 'pg';
import type { Deps } from '#server/deps.ts';
import { TOPICS } from '#server/plugins/fresh-cache.ts';

const MB = 1024 * 1024;

export interface Memory {
  /** What the process holds on its heap after a collection, its caches emptied. */
  readonly heapMb: number;
  /** The most that any one backend of the pool holds. */
  readonly backendMb: number;
}

/** Measures process and backends. Call it while no request is under way. */
export async function measureMemory({ cache, database }: Deps): Promise<Memory> {
  // What is kept on purpose has its own bound.
  cache.changed(TOPICS);
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const heapMb = process.memoryUsage().heapUsed / MB;
  return { heapMb, backendMb: await largestBackend(database.pool) };
}

/** PostgreSQL tells each backend about itself alone: every idle connection is asked. */
async function largestBackend(pool: pg.Pool): Promise<number> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  const sizes = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query<{ bytes: string }>(
        'select sum(total_bytes)::text as bytes from pg_backend_memory_contexts',
      );
      return Number(rows[0]?.bytes);
    }),
  );
  for (const client of clients) client.release();
  return Math.max(0, ...sizes) / MB;
}
