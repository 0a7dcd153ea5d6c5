import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRunningOn, temporaryFolder } from './db/embedded/testing/fixtures.ts';
import { spawnEmbedded, terminate } from './testing/server-process.ts';

test.each(['postgres.init-*', 'postgres/postmaster.pid', 'users.lock'])(
  'a server that is stopped once %s exists leaves no embedded PostgreSQL behind',
  async (made) => {
    const dataDir = temporaryFolder();
    const child = spawnEmbedded(dataDir);
    const found = () => globSync(made, { cwd: dataDir });
    await expect.poll(found, { interval: 1 }).not.toEqual([]);
    expect(await terminate(child)).toBe(0);
    expect(isRunningOn(dataDir)).toBe(false);
  },
);
