import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunningOn, temporaryFolder } from '#server/db/embedded/testing/fixtures.ts';
import { terminate } from '#server/testing/server-process.ts';

const BUSY_MS = 60_000;

test(
  'a command that is stopped while it starts leaves no embedded PostgreSQL behind',
  async () => {
    const dataDir = temporaryFolder();
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'main.ts'), 'cases', 'list'],
      { env: { DATA_DIR: dataDir }, stdio: 'ignore' },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const found = () => globSync('postgres/postmaster.pid', { cwd: dataDir });
    await expect.poll(found, { interval: 1, timeout: BUSY_MS }).not.toEqual([]);
    expect(await terminate(child)).toBe(1);
    expect(isRunningOn(dataDir)).toBe(false);
  },
  BUSY_MS,
);
