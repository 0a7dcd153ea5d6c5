import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { backendRunning, newDataDir, sql, start, temporaryFolder } from './testing/fixtures.ts';
import { startProcess } from './testing/start-process.ts';

test('listens only on a private socket, and syncs to disk', async () => {
  const dataDir = newDataDir();
  const embedded = await start(dataDir);
  const show = async (name: string) => (await sql(embedded, `SHOW ${name}`))[0]?.[0];
  expect(await show('listen_addresses')).toBe('');
  expect(await show('fsync')).toBe('on');
  expect(await show('synchronous_commit')).toBe('on');
  expect(await show('data_checksums')).toBe('on');
  expect(await show('server_encoding')).toBe('UTF8');
  expect(await show('server_version')).toMatch(/^18\./);
  expect(statSync(embedded.connection.host).mode & 0o777).toBe(0o700);
  const socket = join(embedded.connection.host, `.s.PGSQL.${embedded.connection.port}`);
  expect(statSync(socket).mode & 0o077).toBe(0);
});

test('supports letters and case beyond ASCII, and the extensions needed for searching', async () => {
  const embedded = await start(newDataDir());
  await sql(embedded, 'CREATE EXTENSION pg_trgm');
  await sql(embedded, 'CREATE EXTENSION unaccent');
  const query = `SELECT lower('ÉCOLE'), unaccent('é'), similarity('Zürich', 'zürich'),
    to_tsvector('english', 'Don’t “réveillé”')::text`;
  expect(await sql(embedded, query)).toEqual([['école', 'e', 1, "'réveillé':3"]]);
});

test('works in folders of any name', async () => {
  const embedded = await start(join(temporaryFolder(), `Zoë's, "new" data\\$HOME`));
  expect(await sql(embedded, 'SELECT 1')).toEqual([[1]]);
});

test('puts the socket elsewhere if the data folder has a long path', async () => {
  const dataDir = join(temporaryFolder(), 'long-'.repeat(20), 'ü'.repeat(40));
  mkdirSync(dirname(dataDir), { recursive: true });
  const embedded = await start(dataDir);
  const { host } = embedded.connection;
  expect(host).not.toContain(dataDir);
  expect(statSync(host).mode & 0o777).toBe(0o700);
  const other = await startProcess(dataDir);
  expect(other).toMatchObject({ adopted: true, connection: { host } });
  await other.end();
  expect(await sql(embedded, 'SELECT 1')).toEqual([[1]]);
  await embedded.stop();
  expect(existsSync(host)).toBe(false);
});

test('logs no query and no value, even of a query that fails or takes the server down', async () => {
  const dataDir = newDataDir();
  const embedded = await start(dataDir);
  await sql(embedded, 'CREATE TABLE doctor (email text PRIMARY KEY, born date)');
  const insert = 'INSERT INTO doctor (email) VALUES ($1)';
  await sql(embedded, insert, ['canary']);
  await expect(sql(embedded, insert, ['canary'])).rejects.toThrow('duplicate key');
  await expect(sql(embedded, 'SELECT $1::int', ['canary'])).rejects.toThrow('canary');
  await expect(sql(embedded, `SELEKT 'canary'`)).rejects.toThrow('SELEKT');
  await expect(sql(embedded, `DO $$ BEGIN RAISE WARNING 'canary'; END $$`)).resolves.toEqual([]);
  const crash = sql(embedded, `SELECT pg_sleep(60), 'canary'`).catch(() => 'lost');
  process.kill(await backendRunning(embedded, 'pg_sleep(60)'), 'SIGSEGV');
  expect(await crash).toBe('lost');
  await expect.poll(() => readLog(dataDir)).toContain('was terminated by signal 11');
  await expect.poll(() => sql(embedded, 'SELECT count(*)::int FROM doctor')).toEqual([[1]]);
  await embedded.stop();
  expect(readLog(dataDir)).not.toMatch(/canary|SELE|INSERT/);
});

test('keeps the logs of two starts, for its owner only', async () => {
  const dataDir = newDataDir();
  for (let n = 0; n < 3; n += 1) await (await start(dataDir)).stop();
  expect(readdirSync(dataDir).sort()).toEqual([
    'postgres',
    'postgres.log',
    'postgres.log.1',
    'starting.lock',
    'starting.lock.holder',
    'users.lock',
  ]);
  expect(statSync(join(dataDir, 'postgres.log')).mode & 0o777).toBe(0o600);
});

function readLog(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres.log'), 'utf8');
}
