import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { freePort } from '#server/testing/free-port.ts';
import { DEMO, headersOf } from './account.ts';
import { expect, test, testApart } from './fixtures.ts';
import { startServer } from './server.ts';

/** The child processes of a process (proc(5)). */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

async function hasMetrics(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
  return (await answer?.text())?.includes('\ncurbside_db_up 1\n') ?? false;
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const metricsPort = await freePort();
const workersTest = testApart({ WORKERS: '2', METRICS_PORT: String(metricsPort) });
// The last one stops the server.
test.describe.configure({ mode: 'default' });

workersTest('what one process wrote, the others show right away', async ({ server }) => {
  const headers = {
    ...(await headersOf(server, DEMO.doctor)),
    'content-type': 'application/json',
  };
  const countSeen = async (token: string) => {
    const answer = await fetch(`${server.url}/api/employers/?page_size=1`, {
      headers: { 'x-write-position': token },
    });
    return ((await answer.json()) as { count: number }).count;
  };
  let count = await countSeen('');
  for (let round = 0; round < 40; round += 1) {
    const added = await fetch(`${server.url}/api/employers/custom/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: `Quill Clinic ${round}` }),
    });
    expect(added.status).toBe(200);
    count += 1;
    const token = added.headers.get('x-write-position') ?? '';
    // Over several connections, which are spread over the processes.
    const seen = await Promise.all(Array.from({ length: 4 }, () => countSeen(token)));
    expect(seen).toEqual(Array(4).fill(count));
  }
});

workersTest(
  'several processes serve one port, a dead one is replaced, and all stop together',
  async ({ server }) => {
    test.slow();
    // Each process has its own metrics port, and its replacement gets the same port.
    const metrics = () => Promise.all([0, 1, 2].map((index) => hasMetrics(metricsPort + index)));
    expect(await metrics()).toEqual([true, true, false]);
    const { pid } = server.process;
    const [first = 0, second = 0, ...more] = await childrenOf(pid);
    expect(more).toEqual([]);
    expect(server.greeting.match(/Curbside is at/g)).toHaveLength(1);
    // Settings with secrets are not in the environment of a process.
    expect(await readFile(`/proc/${first}/environ`, 'utf8')).not.toMatch(/_KEYS?=|_URL=./);

    const statuses = async () => {
      const answers = Array.from({ length: 20 }, () => fetch(`${server.url}/readyz`));
      return new Set((await Promise.all(answers)).map(({ status }) => status));
    };
    expect(await statuses()).toEqual(new Set([200]));
    process.kill(first, 'SIGKILL');
    await expect.poll(async () => (await childrenOf(pid)).includes(first)).toBe(false);
    expect(await statuses()).toEqual(new Set([200]));
    await expect.poll(async () => (await childrenOf(pid)).length, { timeout: 30_000 }).toBe(2);
    await expect.poll(metrics, { timeout: 30_000 }).toEqual([true, true, false]);
    expect(await statuses()).toEqual(new Set([200]));

    const left = await childrenOf(pid);
    expect(left).toContain(second);
    const exited = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    await exited;
    expect(server.process.exitCode).toBe(0);
    expect(left.filter(isRunning)).toEqual([]);
  },
);

test('does not start if one of them cannot start', async ({ server }) => {
  const failed = startServer({
    dataDir: server.dataDir,
    env: { WORKERS: '2', PORT: new URL(server.url).port, LOG_LEVEL: 'silent' },
  });
  await expect(failed).rejects.toThrow('EADDRINUSE');
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
