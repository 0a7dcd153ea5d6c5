import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '#server/files/data-folder-errors.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { provideBinaries } from './binaries.ts';
import { checkOwner, prepareCluster } from './cluster.ts';
import { type Lease, LockTimeout, takeLease, withLock } from './locks.ts';
import { findPlace, openFolder, type Place, pointerPath, SYSTEM_FOLDER } from './places.ts';
import { isPostmaster, stopPostmaster } from './processes.ts';
import {
  type Connection,
  ensureDatabase,
  findRunning,
  launchServer,
  readPostmasterFile,
  type Server,
} from './server.ts';

const DATABASE = 'curbside';

export interface EmbeddedDatabase {
  /** Settings for `pg.Pool`. The host is the folder of the Unix socket. */
  readonly connection: Connection;
  /** True if another process had already started the server for this data folder. */
  readonly adopted: boolean;
  /** Stops using the server from this process, and stops the server if nobody else uses it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the data folder, creating it if needed. If a server is already running there
 * (another process's, or one that outlived its process), uses that one. It listens on a Unix socket
 * in a private folder, accessible only to root and to the operating system user that runs it.
 * @throws OperatorError with a one-line message that says what is wrong and what to do
 */
export async function startEmbedded({ dataDir }: { dataDir: string }): Promise<EmbeddedDatabase> {
  try {
    mkdirSync(dataDir, { recursive: true });
    const folder = realpathSync(dataDir);
    return await withLock(lockIn(folder), TIME_OUTS.embeddedStart.ms, () => start(folder));
  } catch (error) {
    throw explain(error, dataDir);
  }
}

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const place = findPlace(dataDir);
  checkOwner(place);
  const lease = takeLease(join(dataDir, 'users.lock'));
  let server: Server | undefined;
  try {
    server = (await findRunning(place)) ?? (await launch(place));
    await ensureDatabase(server.connection, DATABASE);
  } catch (error) {
    // Without this, a failed start would leave its server running.
    await stopAfter(lease, place, server);
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return {
    connection: { ...server.connection, database: DATABASE },
    adopted: server.adopted,
    stop() {
      stopped ??= leave(lease, place, server);
      return stopped;
    },
  };
}

async function launch(place: Place): Promise<Server> {
  const { dataDir, home, user } = place;
  const binaries = await provideBinaries(user, () => (user ? openFolder(SYSTEM_FOLDER) : dataDir));
  if (home !== dataDir) for (const folder of [SYSTEM_FOLDER, home]) openFolder(folder);
  await prepareCluster(place, binaries);
  if (home !== dataDir) writeFileSync(pointerPath(dataDir), `${home}\n`);
  return await launchServer(place, binaries);
}

async function leave(lease: Lease, place: Place, server: Server): Promise<void> {
  const stop = () => stopAfter(lease, place, server);
  try {
    await withLock(lockIn(place.dataDir), TIME_OUTS.embeddedStop.ms, stop);
  } catch (error) {
    // The process that holds the lock is about to use the server.
    if (error instanceof LockTimeout) lease.end();
    // The data folder is gone or its disk is full, but the server must still stop.
    else await stop();
  }
}

/** Stops the server unless others use it. */
async function stopAfter(lease: Lease, { cluster }: Place, server?: Server): Promise<void> {
  if (!lease.end() || !server) return;
  // Another start may have replaced a crashed server.
  const pid = readPostmasterFile(cluster)?.pid ?? server.pid;
  await stopPostmaster(pid, cluster);
  const { host } = server.connection;
  if (host !== cluster && !isPostmaster(pid, cluster))
    rmSync(host, { recursive: true, force: true });
}

const lockIn = (dataDir: string) => join(dataDir, 'starting.lock');
