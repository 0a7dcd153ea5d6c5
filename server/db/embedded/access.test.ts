import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, onTestFinished, vi } from 'vitest';
import { startEmbedded } from './launch.ts';
import { isRoot } from './places.ts';
import { makeFolder, NOBODY, nobodyCanRunThis, postmasterPid, sql } from './testing/fixtures.ts';

/** One server for all tests, started from an environment with secrets. */
const test = base.extend(
  'database',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from its pattern.
  async ({}, { onCleanup }: { onCleanup: (cleanup: () => Promise<void>) => void }) => {
    const { folder, remove } = makeFolder();
    const dataDir = join(folder, 'data');
    for (const name of ['SEALING_KEYS', 'SESSION_KEY', 'SMTP_URL', 'LD_PRELOAD_CANARY']) {
      vi.stubEnv(name, 'canary');
    }
    vi.stubEnv('PGSSLMODE', 'require');
    const { connection, stop } = await startEmbedded({ dataDir }).finally(() => vi.unstubAllEnvs());
    onCleanup(async () => {
      await stop();
      remove();
    });
    return { dataDir, connection };
  },
);

test('PostgreSQL inherits none of our settings', ({ database: { dataDir }, skip }) => {
  skip(!existsSync('/proc/self/environ'), 'this system does not show process environments');
  const environ = readFileSync(`/proc/${postmasterPid(dataDir)}/environ`, 'utf8');
  expect(environ).not.toMatch(/canary|KEY|SMTP|DATABASE_URL/);
});

test('PGSSLMODE does not count for the embedded PostgreSQL', async ({ database }) => {
  vi.stubEnv('PGSSLMODE', 'require');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await sql(database, 'SELECT 1')).toEqual([[1]]);
});

test('only its owner can reach PostgreSQL: no network, and a socket in a private folder', ({
  database: { dataDir },
}) => {
  const rules = readFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .map((line) => line.split(/\s+/));
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) expect(rule.at(-1)).toBe(rule[0] === 'local' ? 'trust' : 'reject');
});

test.skipIf(!isRoot())(
  'another user cannot connect to the socket (skipped for an ordinary user)',
  ({ database: { connection }, skip }) => {
    skip(!nobodyCanRunThis(), 'an ordinary user cannot reach this checkout or its Node');
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
