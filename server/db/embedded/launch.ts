import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/errors/operator-error.ts';
import { diskFull, explain, tellsOfFullDisk } from '#server/files/data-files.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { type Binaries, CLEAN_ENVIRONMENT, provideBinaries } from './binaries.ts';
import { type Lease, LockTimeout, takeLease, withLock } from './locks.ts';
import {
  closedFolder,
  findPlace,
  openFolder,
  type Place,
  pointerPath,
  type ServerUser,
  SYSTEM_FOLDER,
} from './places.ts';
import { isPostmaster, stopPostmaster } from './processes.ts';
import {
  type Connection,
  ensureDatabase,
  findRunning,
  launchServer,
  readPostmasterFile,
  type Server,
} from './server.ts';
import { initdbArguments } from './settings.ts';

const DRAFT = 'postgres.init-';
/** The second is for systems without the first, such as older versions of macOS. */
const LOCALES = ['C.UTF-8', 'C'];

/**
 * Ensures that the folder has a complete cluster that this user's PostgreSQL can open. A new
 * cluster is built next to it, synced, and then renamed, so the folder is never half-finished.
 */
async function prepareCluster({ cluster, user }: Place, binaries: Binaries): Promise<void> {
  const parent = dirname(cluster);
  removeDrafts(parent);
  if (existsSync(cluster)) {
    takeOwnership(cluster, user);
    if (existsSync(join(cluster, 'PG_VERSION'))) return checkVersion(cluster, binaries);
    // Deletes nothing that someone else may have created.
    let n = 1;
    while (existsSync(`${cluster}.incomplete-${n}`)) n += 1;
    renameSync(cluster, `${cluster}.incomplete-${n}`);
  }
  const draft = mkdtempSync(join(parent, DRAFT));
  try {
    if (user) chownSync(draft, user.uid, user.gid);
    await initialize(draft, binaries, user);
    renameSync(draft, cluster);
    const folder = openSync(parent, 'r');
    fsyncSync(folder);
    closeSync(folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Runs `initdb` with the first locale that this system has. */
export async function initialize(
  folder: string,
  binaries: Binaries,
  user: ServerUser | undefined,
  [locale = 'C', ...others] = LOCALES,
): Promise<void> {
  const program = join(binaries.folder, 'bin', 'initdb');
  const options = { ...user, cwd: '/', env: CLEAN_ENVIRONMENT };
  try {
    await promisify(execFile)(program, initdbArguments(folder, locale), options);
  } catch (error) {
    const complaint = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    if (tellsOfFullDisk(complaint)) throw diskFull(dirname(folder));
    if (/invalid locale name/.test(complaint) && others.length > 0) {
      return initialize(folder, binaries, user, others);
    }
    const reason = complaint.match(/(?:FATAL|error): +(.+)/)?.[1] ?? String(error);
    throw new OperatorError(
      `The database could not be created in ${dirname(folder)} (${reason}): set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** An ordinary user cannot even look into another user's cluster. */
function checkOwner({ cluster, user }: Place): void {
  const uid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (user !== undefined || uid === undefined || uid === process.geteuid?.()) return;
  throw new OperatorError(
    `The database in ${cluster} belongs to another user (uid ${uid}): start as that user or as root, or set DATA_DIR to another folder.`,
  );
}

/** PostgreSQL opens a cluster only for its owner, and only if nobody else can write to it. */
function takeOwnership(cluster: string, user: ServerUser | undefined): void {
  const { uid, mode } = statSync(cluster);
  const closed = user && closedFolder(dirname(cluster), user);
  if (closed !== undefined) {
    throw new OperatorError(
      `The database in ${cluster} belongs to uid ${user?.uid}, which cannot access ${closed}: run chmod o+x ${closed}, or set DATA_DIR to another folder.`,
    );
  }
  // For example, restored from a copy by root.
  if (user && uid === 0) {
    for (const name of [...readdirSync(cluster, { recursive: true, encoding: 'utf8' }), '']) {
      lchownSync(join(cluster, name), user.uid, user.gid);
    }
  }
  if ((mode & 0o077) !== 0) chmodSync(cluster, 0o700);
}

function checkVersion(cluster: string, binaries: Binaries): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version === binaries.major) return;
  throw new OperatorError(
    `The database in ${cluster} was created by PostgreSQL ${version}, but this is PostgreSQL ${binaries.major}: migrate it with pg_upgrade or pg_dump, or move the folder away to start with an empty one.`,
  );
}

/** Removes what a start that was killed during `initdb` left behind. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(DRAFT)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // That start's initdb is still writing. The next start removes it.
    }
  }
}

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
