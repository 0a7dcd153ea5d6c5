import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { freePort, startServer } from './server.ts';

/** The metrics of the process with this index, or null if it does not answer. */
async function metricsOf(first: number, index: number): Promise<string | null> {
  try {
    return await (await fetch(`http://127.0.0.1:${first + index}/metrics`)).text();
  } catch {
    return null;
  }
}

test('each process has its own metrics port, and its replacement gets the same port', {
  tag: '@long',
}, async () => {
  test.slow();
  const first = await freePort();
  const server = await startServer({ env: { WORKERS: '2', METRICS_PORT: String(first) } });
  await Promise.all(Array.from({ length: 10 }, () => fetch(`${server.url}/employers`)));
  const isThere = async (index: number) =>
    (await metricsOf(first, index))?.includes('\ncurbside_db_up 1\n') ?? false;
  expect([await isThere(0), await isThere(1), await isThere(2)]).toEqual([true, true, false]);

  const { pid } = server.process;
  const [one = 0] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
  process.kill(Number(one), 'SIGKILL');
  const both = async () => [await isThere(0), await isThere(1), await isThere(2)];
  await expect.poll(both).not.toEqual([true, true, false]);
  await expect.poll(both, { timeout: 30_000 }).toEqual([true, true, false]);
  await server.stop();
});
