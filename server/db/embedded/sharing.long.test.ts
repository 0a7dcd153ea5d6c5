import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { provideBinaries } from './binaries.ts';
import { chooseServerUser } from './places.ts';
import { isAlive, newDataDir, postmasterPid, sql, start } from './testing/fixtures.ts';
import { spawnStart, startProcess } from './testing/start-process.ts';

test('the last user stops the server, even if another process started it', async () => {
  const dataDir = newDataDir();
  const first = await startProcess(dataDir);
  const second = await start(dataDir);
  const pid = postmasterPid(dataDir);
  await first.end();
  expect(await sql(second, 'SELECT 1')).toEqual([[1]]);
  await second.stop();
  await second.stop();
  expect(isAlive(pid)).toBe(false);
});

test('of several simultaneous first starts, one creates the database and the others use it', async () => {
  const dataDir = newDataDir();
  const all = await Promise.all([1, 2, 3, 4].map(() => startProcess(dataDir)));
  expect(all.map(({ adopted }) => adopted).sort()).toEqual([false, true, true, true]);
  expect(readdirSync(dataDir).filter((name) => /init|incomplete/.test(name))).toEqual([]);
  const pid = postmasterPid(dataDir);
  await Promise.all(all.map((one) => one.end()));
  expect(isAlive(pid)).toBe(false);
});

test('overlapping starts and stops leave nothing behind and lose nothing', async () => {
  const dataDir = newDataDir();
  const keeper = await start(dataDir);
  await sql(keeper, 'CREATE TABLE note (body text)');
  await keeper.stop();
  const user = async (n: number) => {
    await sleep(n * 15);
    const embedded = await start(dataDir);
    await sql(embedded, 'INSERT INTO note VALUES ($1)', [n]);
    await embedded.stop();
  };
  await Promise.all(Array.from({ length: 12 }, (_, n) => user(n)));
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  const last = await start(dataDir);
  expect(await sql(last, 'SELECT count(*)::int FROM note')).toEqual([[12]]);
});

test.each([
  'starting.lock',
  'postgres.init-*',
  'postgres.init-*/global/pg_control',
  'postgres',
  'postgres/postmaster.pid',
  'users.lock',
])('kill -9 of the first start once there is %s does not block the next one', async (made) => {
  const dataDir = newDataDir();
  const child = spawnStart(dataDir);
  while (globSync(made, { cwd: dataDir }).length === 0) await sleep(1);
  process.kill(-Number(child.pid), 'SIGKILL');
  const next = await start(dataDir);
  expect(await sql(next, 'SELECT 1')).toEqual([[1]]);
  await next.stop();
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('uses a server that was started manually, and leaves it running', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  const cluster = join(dataDir, 'postgres');
  const user = chooseServerUser(dataDir, cluster);
  const { folder } = await provideBinaries(user, () => dataDir);
  const byHand = spawn(
    join(folder, 'bin', 'postgres'),
    ['-D', cluster, '-k', cluster, '-c', 'listen_addresses='],
    { ...user, cwd: '/', stdio: 'ignore' },
  );
  onTestFinished(() => void byHand.kill('SIGINT'));
  await expect.poll(() => existsSync(join(cluster, 'postmaster.pid'))).toBe(true);
  const embedded = await start(dataDir);
  expect(embedded.adopted).toBe(true);
  await embedded.stop();
  expect(byHand.exitCode).toBe(null);
  byHand.kill('SIGINT');
  await once(byHand, 'exit');
});
