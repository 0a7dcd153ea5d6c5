import { chownSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TIME_OUTS } from '#server/time-outs.ts';
import { type Connection, ensureDatabase } from './ask.ts';
import { provideBinaries } from './binaries.ts';
import { checkOwner, prepareCluster } from './cluster.ts';
import { explain } from './error.ts';
import { countLeases, type Lease, takeLease } from './leases.ts';
import { LockTimeout, withLock } from './lock.ts';
import {
  findPlace,
  makeHome,
  makeSocketFolder,
  type Place,
  rememberHome,
  systemFolder,
} from './places.ts';
import { stopPostmaster } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isOurPostmaster } from './processes.ts';
import { findRunning, launchServer, type Server } from './server.ts';

export interface EmbeddedDatabase {
  /** Settings for `pg.Pool`. The host is the folder of the Unix socket. */
  readonly connection: Connection;
  /** True if another process had already started the server for this data folder. */
  readonly adopted: boolean;
  /** Stops using the server from this process, and stops the server if nobody else uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly database?: string;
  readonly log?: (line: string) => void;
}

type Log = (line: string) => void;

/**
 * Starts PostgreSQL on the data folder, creating it if needed. If a server is already running there
 * (another process's, or one that outlived its process), uses that one. It listens on a Unix socket
 * in a private folder, accessible only to root and to the operating system user that runs it.
 * @throws OperatorError with a one-line message that says what is wrong and what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, database = 'curbside', log = () => {} } = options;
  try {
    mkdirSync(dataDir, { recursive: true });
    const folder = realpathSync(dataDir);
    return await withLock(lockIn(folder), TIME_OUTS.embeddedStart.ms, () =>
      start(folder, database, log),
    );
  } catch (error) {
    throw explain(error, dataDir);
  }
}

async function start(dataDir: string, database: string, log: Log): Promise<EmbeddedDatabase> {
  const place = findPlace(dataDir);
  checkOwner(place.cluster, place.user);
  const server = (await findRunning(place)) ?? (await launch(place, log));
  const lease = leaseFor(place);
  try {
    await ensureDatabase({ ...server.connection, database });
    return handle(place, server, database, lease, log);
  } catch (error) {
    // Without this, a failed start would leave its server running.
    lease.release();
    await stopUnlessUsed(place, server);
    throw error;
  }
}

async function launch(place: Place, log: Log): Promise<Server> {
  const { user } = place;
  const binaries = await provideBinaries(user, () => (user ? systemFolder(user) : place.dataDir));
  makeHome(place);
  await prepareCluster(place.cluster, binaries, user, log);
  rememberHome(place);
  makeSocketFolder(place);
  return await launchServer(place, binaries);
}

function handle(
  place: Place,
  server: Server,
  database: string,
  lease: Lease,
  log: Log,
): EmbeddedDatabase {
  let stopped: Promise<void> | undefined;
  void server.exited?.then(() => {
    if (!stopped) log(`PostgreSQL has ended unexpectedly: see ${place.logFile}`);
  });
  return {
    connection: { ...server.connection, database },
    adopted: server.adopted,
    stop() {
      stopped ??= leave(place, server, lease);
      return stopped;
    },
  };
}

async function leave(place: Place, server: Server, lease: Lease): Promise<void> {
  lease.release();
  try {
    await withLock(lockIn(place.dataDir), TIME_OUTS.embeddedStop.ms, () =>
      stopUnlessUsed(place, server),
    );
  } catch (error) {
    // The process that holds the lock is about to use the server.
    if (error instanceof LockTimeout) return;
    // The data folder is gone or its disk is full, but the server must still stop.
    await stopUnlessUsed(place, server);
  }
}

async function stopUnlessUsed(place: Place, server: Server): Promise<void> {
  if (countLeases(leasesIn(place)) > 0) return;
  // Another start may have replaced a crashed server.
  const pid = readPostmasterFile(place.cluster)?.pid ?? server.pid;
  if (!isOurPostmaster(pid, place.cluster)) return;
  await stopPostmaster(pid);
  if (place.socketFolder !== place.cluster) {
    rmSync(place.socketFolder, { recursive: true, force: true });
  }
}

/** Owned like the home folder: after `sudo`, the user may start without it next time. */
function leaseFor(place: Place): Lease {
  const lease = takeLease(leasesIn(place));
  const { uid, gid } = statSync(place.home);
  if (place.user) chownSync(leasesIn(place), uid, gid);
  return lease;
}

function leasesIn({ home }: Place): string {
  return join(home, 'leases');
}

function lockIn(dataDir: string): string {
  return join(dataDir, 'start.lock');
}
