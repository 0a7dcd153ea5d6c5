import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRunningOn, temporaryFolder } from './db/embedded/testing/fixtures.ts';
import { testDatabase } from './testing/database.ts';
import { printed, spawnEmbedded, spawnServer, terminate } from './testing/server-process.ts';

const BUSY_MS = 60_000;

test.each(['postgres.init-*', 'postgres/postmaster.pid', 'leases/*'])(
  'a server that is stopped once %s exists leaves no embedded PostgreSQL behind',
  async (made) => {
    const dataDir = temporaryFolder();
    const child = spawnEmbedded(dataDir);
    const found = () => globSync(made, { cwd: dataDir });
    await expect.poll(found, { interval: 1, timeout: BUSY_MS }).not.toEqual([]);
    expect(await terminate(child)).toBe(0);
    expect(isRunningOn(dataDir)).toBe(false);
  },
  BUSY_MS,
);

test('a server that waits for its database stops immediately', async () => {
  const { db } = await testDatabase();
  const away = 'postgres://nobody@127.0.0.1:1/away';
  const child = await spawnServer(db, { DATABASE_URL: away, LOG_LEVEL: 'warn' });
  await printed(child, /(waiting for the database)/);
  expect(await terminate(child)).toBe(0);
});
