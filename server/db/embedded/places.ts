import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import { codeOf, ifPresent } from './error.ts';
import { chooseServerUser, closedFolder, type ServerUser } from './server-user.ts';
import { PORT } from './settings.ts';

/** Contains the path of the cluster, if it is outside the data folder. */
const POINTER = 'postgres-location';
/** `sun_path` has 104 bytes on macOS and 108 on Linux, including the final zero. */
const SOCKET_PATH_MAX = 103;

export interface Place {
  readonly dataDir: string;
  /** The folder with the cluster and the leases. It is the data folder if possible. */
  readonly home: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly logFile: string;
  readonly user: ServerUser | undefined;
}

/** Determines all paths of this data folder. */
export function findPlace(dataDir: string): Place {
  const known = knownHome(dataDir);
  const user = chooseServerUser(dataDir, join(known ?? dataDir, 'postgres'));
  const home = known ?? chooseHome(dataDir, user);
  const cluster = join(home, 'postgres');
  return {
    dataDir,
    home,
    cluster,
    socketFolder: chooseSocketFolder(cluster, user),
    logFile: join(dataDir, 'postgres.log'),
    user,
  };
}

/** The home of this data folder, if it has been started before. */
function knownHome(dataDir: string): string | undefined {
  const home = ifPresent(() => readFileSync(pointerPath(dataDir), 'utf8').trim());
  if (home === undefined) return existsSync(join(dataDir, 'postgres')) ? dataDir : undefined;
  if (existsSync(join(home, 'postgres'))) return home;
  throw new OperatorError(
    `The database of ${dataDir} was stored in ${home}, which no longer exists: restore that folder, or delete ${pointerPath(dataDir)} to start with an empty database.`,
  );
}

function pointerPath(dataDir: string): string {
  return join(dataDir, POINTER);
}

/** The folder for a new cluster: the data folder, if the user that runs PostgreSQL can reach it. */
function chooseHome(dataDir: string, user: ServerUser | undefined): string {
  if (user === undefined || closedFolder(dataDir, user) === undefined) return dataDir;
  const base = join(systemFolder(user), hash(dataDir));
  // An unreferenced cluster there belonged to a data folder that was deleted or moved.
  let n = 1;
  let home = base;
  while (existsSync(join(home, 'postgres'))) home = `${base}-${++n}`;
  return home;
}

/** Creates the folder for a cluster outside the data folder. */
export function makeHome({ dataDir, home }: Place): void {
  if (home === dataDir) return;
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755); // Ignores the umask.
}

/** Records the choice for later starts. Called once there is a cluster. */
export function rememberHome({ dataDir, home }: Place): void {
  if (home !== dataDir) writeFileSync(pointerPath(dataDir), `${home}\n`);
}

/** Our folder that every user can reach. The last candidate may not survive a reboot. */
export function systemFolder(user: ServerUser): string {
  for (const parent of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(parent, 'curbside');
    if (closedFolder(parent, user) === undefined && isOurOwn(folder, 0o755)) return folder;
  }
  throw new OperatorError(
    `The user that runs PostgreSQL (uid ${user.uid}) can reach neither the data folder nor /var/lib, /var/tmp or ${tmpdir()}: set DATA_DIR to a folder that it can reach, or set DATABASE_URL.`,
  );
}

/** The cluster's own folder, or a short one in the temporary folder if its path is too long. */
function chooseSocketFolder(cluster: string, user: ServerUser | undefined): string {
  const name = `curbside-${hash(cluster)}`;
  const folder = [tmpdir(), '/tmp']
    .filter((parent) => user === undefined || closedFolder(parent, user) === undefined)
    .map((parent) => join(parent, name));
  return [cluster, ...folder].find(fits) ?? cluster;
}

/** Creates it, unless it is the cluster's own, which PostgreSQL itself keeps private. */
export function makeSocketFolder({ cluster, socketFolder, user }: Place): void {
  if (socketFolder === cluster ? fits(cluster) : isOurOwn(socketFolder, 0o700, user)) return;
  throw new OperatorError(
    `The path ${cluster} is too long for a socket, and ${socketFolder} cannot be used instead: remove what is there, or set DATA_DIR to a folder with a shorter path.`,
  );
}

/**
 * Creates the folder if needed. Its name is predictable, so an existing one must belong to the
 * right user and must not be writable by others.
 */
function isOurOwn(folder: string, mode: number, user?: ServerUser): boolean {
  try {
    mkdirSync(folder);
    chmodSync(folder, mode); // Ignores the umask.
    if (user) chownSync(folder, user.uid, user.gid);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false;
  }
  const stats = lstatSync(folder);
  const owner = user?.uid ?? process.geteuid?.();
  return stats.isDirectory() && stats.uid === owner && (stats.mode & 0o777 & ~mode) === 0;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX;
}

function hash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
