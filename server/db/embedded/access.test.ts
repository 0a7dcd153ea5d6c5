import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRoot } from './server-user.ts';
import { NOBODY, newDataDir, nobodyCanRunThis, postmasterPid, start } from './testing/fixtures.ts';

test('PostgreSQL inherits none of our settings', async ({ skip }) => {
  skip(!existsSync('/proc/self/environ'), 'this system does not show process environments');
  for (const name of ['SEALING_KEYS', 'SESSION_KEY', 'SMTP_URL', 'LD_PRELOAD_CANARY']) {
    vi.stubEnv(name, 'canary');
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const dataDir = newDataDir();
  await start(dataDir);
  const environ = readFileSync(`/proc/${postmasterPid(dataDir)}/environ`, 'utf8');
  expect(environ).not.toMatch(/canary|KEY|SMTP|DATABASE_URL/);
});

test('only its owner can reach PostgreSQL: no network, and a socket in a private folder', async () => {
  const dataDir = newDataDir();
  await start(dataDir);
  const rules = readFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .map((line) => line.split(/\s+/));
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) expect(rule.at(-1)).toBe(rule[0] === 'local' ? 'trust' : 'reject');
});

test.skipIf(!isRoot())(
  'another user cannot connect to the socket (skipped for an ordinary user)',
  async ({ skip }) => {
    skip(!nobodyCanRunThis(), 'an ordinary user cannot reach this checkout or its Node');
    const { connection } = await start(newDataDir());
    const socket = join(connection.host, `.s.PGSQL.${connection.port}`);
    const connect = (user: object) =>
      spawnSync(
        process.execPath,
        [
          '-e',
          `require('net').connect(${JSON.stringify(socket)})
            .on('connect', () => process.exit(0))
            .on('error', ({ code }) => { console.log(code); process.exit(1); })`,
        ],
        { ...user, encoding: 'utf8' },
      );
    expect(connect({}).status).toBe(0);
    // Not the user that runs PostgreSQL, which may be `nobody`.
    const stranger = connect({ uid: NOBODY.uid - 1, gid: NOBODY.gid - 1 });
    expect(stranger).toMatchObject({ status: 1, stdout: 'EACCES\n' });
  },
);
