import type pg from 'pg';
import { TOPICS } from '#server/db/topics.ts';
import type { Deps } from '#server/deps.ts';

const MB = 1024 * 1024;

export interface Memory {
  /** The heap after a garbage collection, with empty caches. */
  readonly heapMb: number;
  /** The memory of the largest backend of the pool. */
  readonly backendMb: number;
}

/** Measures the process and its backends. Must be called while no request is running. */
export async function measureMemory({ cache, database }: Deps): Promise<Memory> {
  // Empties the caches, which have their own limits.
  cache.changed(TOPICS);
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const heapMb = process.memoryUsage().heapUsed / MB;
  return { heapMb, backendMb: await largestBackend(database.pool) };
}

/** A PostgreSQL backend only reports its own memory, so this queries every idle connection. */
async function largestBackend(pool: pg.Pool): Promise<number> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  const sizes = await Promise.all(
    clients.map(async (client) => {
      const sum = 'select sum(total_bytes)::text as bytes from pg_backend_memory_contexts';
      const { rows } = await client.query<{ bytes: string }>(sum);
      return Number(rows[0]?.bytes);
    }),
  );
  for (const client of clients) client.release();
  return Math.max(0, ...sizes) / MB;
}
