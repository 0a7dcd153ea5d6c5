import { readFileSync } from 'node:fs';
import process from 'node:process';
import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

export type Stopwatch = (work: () => Promise<unknown>) => Promise<number>;

/**
 * Measures work in milliseconds of CPU time, of this process and of `db`'s only connection, because
 * other programs share the machine. Uses wall-clock time if that is less, or if the database is on
 * another machine.
 */
export async function stopwatch(db: Db): Promise<Stopwatch> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const statistics = `/proc/${rows[0]?.pid}/schedstat`;
  const processorTime = () => {
    const { user, system } = process.cpuUsage();
    return Number(readFileSync(statistics, 'utf8').split(' ')[0]) / 1e6 + (user + system) / 1e3;
  };
  const isHere = readable(statistics);
  return async (work) => {
    const began = performance.now();
    const used = isHere ? processorTime() : 0;
    await work();
    const passed = performance.now() - began;
    return isHere ? Math.min(passed, processorTime() - used) : passed;
  };
}

function readable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
