import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { signUp } from './account.ts';
import { makeDataDir, startServer } from './server.ts';

test.slow();

const key = () => randomBytes(32).toString('base64');

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
  const ofIdentity = { SEALING_KEYS: `k1:${key()}`, INDEX_KEY: key() };
  const secrets = { ...ofIdentity, AUTHORSHIP_KEY: key(), SESSION_KEY: key() };
  const server = await startServer({ env: secrets });
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
  const dataDir = await makeDataDir();
  // Like a careless copy.
  await mkdir(path.join(dataDir, 'outbox'));
  await chmod(path.join(dataDir, 'outbox'), 0o755);
  const first = await startServer({ dataDir });
  first.process.kill('SIGKILL');
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
