import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from './launch.ts';
import { isRoot } from './places.ts';
import { readPostmasterFile } from './server.ts';
import { copyCheckout } from './testing/checkout.ts';
import {
  isAlive,
  NOBODY,
  newDataDir,
  nobodyCanRunThis,
  postmasterPid,
  sql,
  start,
  temporaryFolder,
} from './testing/fixtures.ts';
import { startProcess } from './testing/start-process.ts';

/** Returns the home of a data folder, which is removed at the end of the test. */
function homeOf(dataDir: string): string {
  const home = readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function closedDataDir(): string {
  const closed = join(temporaryFolder(), 'closed');
  mkdirSync(closed, { mode: 0o700 });
  return join(closed, 'data');
}

describe.skipIf(!isRoot())('as root (skipped for an ordinary user)', () => {
  test('PostgreSQL runs as another user, who alone owns the database', async () => {
    const dataDir = newDataDir();
    await start(dataDir);
    const { uid, mode } = statSync(join(dataDir, 'postgres'));
    expect(uid).not.toBe(0);
    expect(mode & 0o777).toBe(0o700);
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(uid);
  });

  test('keeps the database elsewhere if this user cannot reach the data folder', async () => {
    const dataDir = closedDataDir();
    const first = await start(dataDir);
    const home = homeOf(dataDir);
    await sql(first, `CREATE TABLE note AS SELECT 'kept' AS body`);
    expect(first.connection.host).toBe(join(home, 'postgres'));
    expect(statSync(first.connection.host).mode & 0o777).toBe(0o700);
    const beside = await startProcess(dataDir);
    expect(beside).toMatchObject({ adopted: true, connection: first.connection });
    await first.stop();
    expect(await sql(beside, 'SELECT body FROM note')).toEqual([['kept']]);
    await beside.kill();
    const second = await start(dataDir);
    expect(second.adopted).toBe(true);
    expect(await sql(second, 'SELECT body FROM note')).toEqual([['kept']]);
    expect(readdirSync(dataDir)).not.toContain('postgres');
  });

  test('a recreated data folder does not bring back the old database', async () => {
    const dataDir = closedDataDir();
    const first = await start(dataDir);
    const old = homeOf(dataDir);
    await sql(first, 'CREATE TABLE note (body text)');
    await first.stop();
    rmSync(dataDir, { recursive: true });
    const second = await start(dataDir);
    expect(homeOf(dataDir)).not.toBe(old);
    await expect(sql(second, 'TABLE note')).rejects.toThrow('does not exist');
  });

  test('reports a missing database elsewhere instead of replacing it', async () => {
    const dataDir = closedDataDir();
    await (await start(dataDir)).stop();
    const home = homeOf(dataDir);
    rmSync(home, { recursive: true });
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      `The database of ${dataDir} was stored in ${home}, which no longer exists: restore that folder, or delete`,
    );
  });

  test('deleting a data folder does not keep its server elsewhere alive', async () => {
    const dataDir = closedDataDir();
    const embedded = await start(dataDir);
    const pid = readPostmasterFile(join(homeOf(dataDir), 'postgres'))?.pid;
    rmSync(dataDir, { recursive: true });
    expect(await sql(embedded, 'SELECT 1')).toEqual([[1]]);
    await embedded.stop();
    expect(isAlive(Number(pid))).toBe(false);
  });

  test('copies PostgreSQL once from a checkout that this user cannot reach', async () => {
    const { root, embedded } = copyCheckout();
    chmodSync(root, 0o700);
    const dataDir = join(root, 'data');
    const one = await startProcess(dataDir, { checkout: embedded });
    expect(one.error).toBeUndefined();
    const home = homeOf(dataDir);
    expect(await sql(one, 'SELECT 1')).toEqual([[1]]);
    const program = readlinkSync(`/proc/${readPostmasterFile(join(home, 'postgres'))?.pid}/exe`);
    expect(dirname(home)).toBe(dirname(dirname(dirname(program))));
    expect(statSync(program).uid).toBe(0);
    const copiedAt = statSync(program).ctimeMs;
    await one.end();
    const two = await startProcess(dataDir, { checkout: embedded });
    expect(await sql(two, 'SELECT 1')).toEqual([[1]]);
    await two.end();
    expect(statSync(program).ctimeMs).toBe(copiedAt);
    expect(readdirSync(dirname(home)).filter((name) => name.includes('copy-'))).toEqual([]);
  });

  test('gives a database that root restored to the user that runs PostgreSQL', async () => {
    const dataDir = newDataDir();
    await (await start(dataDir)).stop();
    const cluster = join(dataDir, 'postgres');
    for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' })) {
      lchownSync(join(cluster, name), 0, 0);
    }
    chownSync(cluster, 0, 0);
    expect(await sql(await start(dataDir), 'SELECT 1')).toEqual([[1]]);
  });

  test("sudo in a user's folder leaves files that the user can still use", async ({ skip }) => {
    skip(!nobodyCanRunThis(), 'an ordinary user cannot reach this checkout or its Node');
    const dataDir = newDataDir();
    mkdirSync(dataDir);
    chownSync(dataDir, NOBODY.uid, NOBODY.gid);
    const byRoot = await start(dataDir);
    await sql(byRoot, `CREATE TABLE note AS SELECT 'kept' AS body`);
    await byRoot.stop();
    const byUser = await startProcess(dataDir, { user: NOBODY });
    expect(byUser.error).toBeUndefined();
    expect(await sql(byUser, 'SELECT body FROM note')).toEqual([['kept']]);
    await byUser.end();
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('names the closed folder if a database has become unreachable', async () => {
    const dataDir = newDataDir();
    await (await start(dataDir)).stop();
    chmodSync(dirname(dataDir), 0o700);
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      `cannot access ${dirname(dataDir)}: run chmod`,
    );
  });
});
