import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { CLEAN_ENVIRONMENT, provideBinaries } from '#server/db/embedded/binaries.ts';
import { findPlace, openFolder, SYSTEM_FOLDER } from '#server/db/embedded/places.ts';
import { serverArguments } from '#server/db/embedded/settings.ts';
import { sql, start, temporaryFolder } from '#server/db/embedded/testing/fixtures.ts';
import { type Database, openDatabase } from '#server/db/open.ts';

/** Generous, for a busy machine. */
const BUSY_MS = 60_000;

interface Running {
  readonly database: Database;
  /** The data folder of PostgreSQL. */
  readonly folder: string;
}

/** Two new PostgreSQL servers, each with its folder: a primary, and a replica that follows it. */
export async function primaryAndReplica(): Promise<{ primary: Running; replica: Running }> {
  const dataDir = temporaryFolder();
  const { connection, stop } = await start(dataDir);
  await stop();
  const { cluster, home, user } = findPlace(dataDir);
  const binaries = await provideBinaries(user, () =>
    user ? openFolder(SYSTEM_FOLDER) : temporaryFolder(),
  );

  async function run(folder: string, settings: readonly string[]) {
    const child = spawn(
      path.join(binaries.folder, 'bin', 'postgres'),
      [
        ...serverArguments(folder, folder),
        ...['wal_level=replica', 'max_wal_senders=2', ...settings].flatMap((one) => ['-c', one]),
      ],
      { ...user, cwd: '/', env: CLEAN_ENVIRONMENT, stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const end = async () => {
      child.kill('SIGINT');
      await ended;
    };
    onTestFinished(end);
    const at = { ...connection, host: folder };
    await expect
      .poll(() => sql({ connection: at }, 'select 1').catch(() => null), { timeout: BUSY_MS })
      .toEqual([[1]]);
    return { end, at };
  }

  function opened({ at }: Awaited<ReturnType<typeof run>>, folder: string): Running {
    const database = openDatabase(at, () => {});
    onTestFinished(() => database.close());
    return { database, folder };
  }

  // The log of the stopped server lacks what a replica needs.
  const first = await run(cluster, []);
  await first.end();
  const copy = path.join(home, 'replica');
  // Keeps the owner.
  execFileSync('cp', ['-a', cluster, copy]);
  writeFileSync(path.join(copy, 'standby.signal'), '');
  const primary = await run(cluster, []);
  const replica = await run(copy, [
    `primary_conninfo=host=${cluster} user=${connection.user} application_name=replica`,
  ]);
  return { primary: opened(primary, cluster), replica: opened(replica, copy) };
}

/** Waits until the replica has replayed what the primary has written, and both have it on disk. */
export async function followed(primary: Database, replica: Database): Promise<void> {
  await primary.background.pool.query('checkpoint');
  const { rows } = await primary.pool.query<{ at: string }>('select pg_current_wal_lsn() as at');
  const hasReplayed = async () => {
    const { rows: replayed } = await replica.pool.query<{ done: boolean }>(
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done',
      [rows[0]?.at],
    );
    return replayed[0]?.done;
  };
  await expect.poll(hasReplayed, { timeout: BUSY_MS }).toBe(true);
  await replica.pool.query('checkpoint');
}

/** Which of these values are in the files of a folder, except in those of the write-ahead log. */
export async function valuesIn(folder: string, values: readonly Buffer[]): Promise<Set<Buffer>> {
  const found = new Set<Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || file.includes('/pg_wal/')) continue;
    const bytes = await readFile(file);
    for (const value of values) if (bytes.includes(value)) found.add(value);
  }
  return found;
}
