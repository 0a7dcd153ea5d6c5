import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { type EmbeddedDatabase, startEmbedded } from '../launch.ts';
import { closedFolder, type ServerUser } from '../places.ts';
import { commandOf } from '../processes.ts';
import { readPostmasterFile } from '../server.ts';
import type { Started } from './start-process.ts';

/** An ordinary user with no rights: Debian's `nobody`. */
export const NOBODY: ServerUser = { uid: 65534, gid: 65534 };

/** A folder that every user can enter. */
export function makeFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'curbside-embedded-')));
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The same, removed at the end of the test. */
export function temporaryFolder(): string {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  return folder;
}

/** The path of a data folder that does not exist yet. */
export function newDataDir(): string {
  return join(temporaryFolder(), 'data');
}

/** Starts the database, and stops it at the end of the test if the test has not. */
export async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const embedded = await startEmbedded({ dataDir });
  onTestFinished(() => embedded.stop());
  return embedded;
}

export async function sql(
  { connection }: Pick<EmbeddedDatabase, 'connection'>,
  text: string,
  values: unknown[] = [],
): Promise<unknown[][]> {
  const client = new pg.Client(connection);
  client.on('error', () => {}); // Some tests kill the server. That also rejects the query.
  await client.connect();
  try {
    return (await client.query({ text, values, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

export function postmasterPid(dataDir: string): number {
  const pid = readPostmasterFile(join(dataDir, 'postgres'))?.pid;
  if (pid === undefined) throw new Error(`No server is running on ${dataDir}`);
  return pid;
}

/** Whether a server runs on the data folder. */
export function isRunningOn(dataDir: string): boolean {
  const pid = readPostmasterFile(join(dataDir, 'postgres'))?.pid;
  return pid !== undefined && isAlive(pid);
}

/** Waits for a process that runs a query with this text, and returns its id. */
export async function backendRunning(embedded: EmbeddedDatabase | Started, text: string) {
  const find = `SELECT pid FROM pg_stat_activity
    WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`;
  const ask = () => sql(embedded, find, [`%${text}%`]);
  await expect.poll(ask).toHaveLength(1);
  return Number((await ask())[0]?.[0]);
}

export function isAlive(pid: number): boolean {
  return commandOf(pid) !== '';
}

/** Whether an ordinary user can run this checkout with this Node, for tests that run as root. */
export function nobodyCanRunThis(): boolean {
  const paths = [import.meta.dirname, process.execPath];
  return paths.every((path) => closedFolder(path, NOBODY) === undefined);
}

/** Mounts an in-memory file system on the folder. False if that is not allowed. */
export function mountMemory(folder: string, options: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (status !== 0) return false;
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', folder]);
  });
  return true;
}
