import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { storedSecrets } from '#server/config/stored-secrets.ts';
import { signUp } from './account.ts';
import { preparedDataDir, startServer } from './server.ts';

test.slow();

/** Files in DATA_DIR that other users may read. They hold only paths and process ids. */
const OPEN_TO_OTHERS = /^(leases(\/.*)?|start\.lock|postgres-location)$/;

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
        return [{ pid: Number(pid), environ: read('environ'), cmdline: read('cmdline') }];
      } catch {
        // The process has ended or belongs to another user.
        return [];
      }
    });
}

test('no child process has the keys in its environment, and no command line contains them', async () => {
  const hidesIt = !existsSync('/proc/self/environ');
  test.skip(hidesIt, 'this system does not expose the environment of a process');
  const dataDir = await preparedDataDir();
  const { sealing, index, authorship, session } = storedSecrets(dataDir);
  const secrets = {
    SEALING_KEYS: sealing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(),
    INDEX_KEY: index.map((key) => key.toString('base64')).join(),
    AUTHORSHIP_KEY: authorship.map((key) => key.toString('base64')).join(),
    SESSION_KEY: session.toString('base64'),
  };
  const server = await startServer({ dataDir, env: secrets });
  try {
    const seen = processes();
    const ofDatabase = seen.filter(({ cmdline }) => cmdline.includes(server.dataDir));
    expect(ofDatabase.length).toBeGreaterThan(0);
    for (const secret of Object.values(secrets)) {
      const knowing = seen.filter(({ environ }) => environ.includes(secret));
      expect(knowing.map(({ pid }) => pid)).toEqual([server.process.pid]);
      expect(seen.filter(({ cmdline }) => cmdline.includes(secret))).toEqual([]);
    }
  } finally {
    await server.stop();
  }
});

test('other users cannot read DATA_DIR, even if it was open before', async () => {
  const dataDir = await preparedDataDir();
  // Like a careless copy.
  await mkdir(path.join(dataDir, 'outbox'), { recursive: true });
  await chmod(path.join(dataDir, 'secrets.json'), 0o644);
  await chmod(path.join(dataDir, 'outbox'), 0o755);

  const server = await startServer({ dataDir });
  try {
    await signUp(server);
    const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => (statSync(path.join(dataDir, name)).mode & 0o077) !== 0)
      .filter((name) => !OPEN_TO_OTHERS.test(name));
    expect(open).toEqual([]);
  } finally {
    await server.stop();
  }
});
