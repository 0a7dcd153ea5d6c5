import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { startEmbedded } from './launch.ts';
import { isAlive, isRunningOn, makeFolder, postmasterPid, sql, start } from './testing/fixtures.ts';
import { startProcess } from './testing/start-process.ts';

/** A database after its first start. One for all tests, because creating it takes long. */
const test = base.extend(
  'created',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from its pattern.
  async ({}, { onCleanup }: { onCleanup: (cleanup: () => void) => void }) => {
    const { folder, remove } = makeFolder();
    onCleanup(remove);
    const dataDir = join(folder, 'data');
    const { adopted, connection, stop } = await startEmbedded({ dataDir });
    await sql({ connection }, `CREATE TABLE note AS SELECT 'kept' AS body`);
    await stop();
    return { dataDir, adopted, connection, isStillRunning: isRunningOn(dataDir) };
  },
);

test('creates a database on the first start, and reopens it on the second', async ({ created }) => {
  const { dataDir } = created;
  expect(created).toMatchObject({
    adopted: false,
    connection: { host: join(dataDir, 'postgres'), user: 'curbside', database: 'curbside' },
    isStillRunning: false,
  });
  const second = await start(dataDir);
  expect(await sql(second, 'SELECT body FROM note')).toEqual([['kept']]);
  await second.stop();
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a second start uses the running server, and leaves it running', async ({ created }) => {
  const { dataDir } = created;
  const first = await start(dataDir);
  const pid = postmasterPid(dataDir);
  const second = await startProcess(dataDir);
  expect(second).toMatchObject({ adopted: true, connection: first.connection });
  await second.end();
  expect(await sql(first, 'SELECT 1')).toEqual([[1]]);
  await first.stop();
  expect(isAlive(pid)).toBe(false);
});

test('the server survives kill -9 of its process group, and the next start takes it over', async ({
  created: { dataDir },
}) => {
  const killed = await startProcess(dataDir);
  const pid = postmasterPid(dataDir);
  await killed.kill();
  const next = await start(dataDir);
  expect(next.adopted).toBe(true);
  expect(await sql(next, 'SELECT body FROM note')).toEqual([['kept']]);
  await next.stop();
  expect(isAlive(pid)).toBe(false);
});

test('starts after everything crashed, with nothing lost', async ({ created: { dataDir } }) => {
  const victim = await startProcess(dataDir);
  await sql(victim, `CREATE TABLE late AS SELECT 'kept too' AS body`);
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await victim.kill();
  const next = await start(dataDir);
  expect(next.adopted).toBe(false);
  expect(
    await sql(next, 'SELECT body FROM note UNION SELECT body FROM late ORDER BY body'),
  ).toEqual([['kept'], ['kept too']]);
});
