import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseServerUser, findPlace } from './places.ts';
import { stopPostmaster } from './processes.ts';
import { findRunning } from './server.ts';
import {
  backendRunning,
  isAlive,
  newDataDir,
  postmasterPid,
  sql,
  start,
} from './testing/fixtures.ts';
import { startProcess } from './testing/start-process.ts';

/** Leaves a data folder as after a power failure: nothing running, nothing cleaned up. */
async function crashed(dataDir: string): Promise<void> {
  const victim = await startProcess(dataDir);
  await sql(victim, `CREATE TABLE note AS SELECT 'kept' AS body`);
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await victim.kill();
}

test("starts if another program has reused the crashed server's process id", async () => {
  const dataDir = newDataDir();
  await crashed(dataDir);
  const cluster = join(dataDir, 'postgres');
  const user = chooseServerUser(dataDir, cluster);
  const other = spawn('sleep', ['60'], { ...user, cwd: '/' });
  onTestFinished(() => void other.kill());
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const [, ...lines] = readFileSync(join(cluster, file), 'utf8').split('\n');
    writeFileSync(join(cluster, file), [other.pid, ...lines].join('\n'));
  }
  const embedded = await start(dataDir);
  expect(embedded.adopted).toBe(false);
  expect(await sql(embedded, 'SELECT body FROM note')).toEqual([['kept']]);
  await embedded.stop();
  expect(isAlive(Number(other.pid))).toBe(true);
});

test('waits for the children of a killed server instead of writing at the same time', async () => {
  const dataDir = newDataDir();
  const victim = await startProcess(dataDir);
  const busy = sql(victim, 'SELECT count(*) FROM generate_series(1, 8000000)').catch(() => 'lost');
  await backendRunning(victim, 'generate_series');
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await victim.kill();
  const embedded = await start(dataDir);
  await busy;
  expect(await sql(embedded, 'SELECT 1')).toEqual([[1]]);
});

test('recreates the database if the first start was interrupted', async () => {
  const dataDir = newDataDir();
  mkdirSync(join(dataDir, 'postgres', 'base'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), '');
  mkdirSync(join(dataDir, 'postgres.init-killed', 'base'), { recursive: true });
  const embedded = await start(dataDir);
  expect(await sql(embedded, 'SELECT 1')).toEqual([[1]]);
  const names = readdirSync(dataDir).filter((name) => name.startsWith('postgres.i'));
  expect(names).toEqual(['postgres.incomplete-1']);
});

test('repairs the mode of a cluster that was copied without it', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  chmodSync(join(dataDir, 'postgres'), 0o755);
  expect(await sql(await start(dataDir), 'SELECT 1')).toEqual([[1]]);
});

test('stop terminates even a server that cannot shut down', async () => {
  const dataDir = newDataDir();
  const embedded = await start(dataDir);
  const postmaster = postmasterPid(dataDir);
  const stuck = sql(embedded, 'SELECT pg_sleep(60)').catch(() => 'lost');
  // A stopped process receives no signals. PostgreSQL kills it five seconds after SIGQUIT.
  process.kill(await backendRunning(embedded, 'pg_sleep(60)'), 'SIGSTOP');
  await stopPostmaster(postmaster, join(dataDir, 'postgres'), [
    { signal: 'SIGINT', graceMs: 300 },
    { signal: 'SIGQUIT', graceMs: 8000 },
  ]);
  await stuck;
  expect(isAlive(postmaster)).toBe(false);
});

test('stop terminates the server of a deleted data folder', async () => {
  const dataDir = newDataDir();
  const embedded = await start(dataDir);
  const pid = postmasterPid(dataDir);
  rmSync(dataDir, { recursive: true });
  await embedded.stop();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
});

test('names the process that is in the way if a server hangs', async () => {
  const dataDir = newDataDir();
  const embedded = await start(dataDir);
  const pid = postmasterPid(dataDir);
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  await expect(findRunning(findPlace(dataDir), 500)).rejects.toThrow(
    `PostgreSQL (process ${pid}) is running on ${dataDir}/postgres, but does not respond: end that process`,
  );
  process.kill(pid, 'SIGCONT');
  expect(await sql(embedded, 'SELECT 1')).toEqual([[1]]);
});
