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
import { codeOf, EmbeddedDatabaseError } from './error.ts';
import { chooseServerUser, closedFolder, type ServerUser } from './server-user.ts';
import { PORT } from './settings.ts';

/** Says where the cluster is, when that is not the data folder itself. */
const POINTER = 'postgres-location';
/** `sun_path` holds 104 bytes on macOS, 108 on Linux, with the final zero. */
const SOCKET_PATH_MAX = 103;

export interface Place {
  readonly dataDir: string;
  /** Holds the cluster and the leases. It is the data folder wherever that can be. */
  readonly home: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly logFile: string;
  readonly user: ServerUser | undefined;
}

/** Works out where everything of this data folder is, or will be. */
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

/** Where the cluster and the leases of this data folder are by now, if it has been started before. */
function knownHome(dataDir: string): string | undefined {
  const home = readPointer(dataDir);
  if (home === undefined) return existsSync(join(dataDir, 'postgres')) ? dataDir : undefined;
  if (existsSync(join(home, 'postgres'))) return home;
  throw new EmbeddedDatabaseError(
    `The database of ${dataDir} was kept in ${home}, which is gone: bring that folder back, or delete ${pointerPath(dataDir)} to begin with an empty database.`,
  );
}

function pointerPath(dataDir: string): string {
  return join(dataDir, POINTER);
}

/** Where to keep a new cluster: in the data folder, if the user that runs PostgreSQL gets there. */
function chooseHome(dataDir: string, user: ServerUser | undefined): string {
  if (user === undefined || closedFolder(dataDir, user) === undefined) return dataDir;
  const base = join(systemFolder(user), hash(dataDir));
  // A cluster there that nothing points to belonged to a data folder since deleted, or moved.
  let n = 1;
  let home = base;
  while (existsSync(join(home, 'postgres'))) home = `${base}-${++n}`;
  return home;
}

/** Makes the folder for a cluster that is not to be in the data folder. */
export function makeHome({ dataDir, home }: Place): void {
  if (home === dataDir) return;
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755); // Whatever the umask.
}

/** Makes the second start find what the first has chosen. Called once there is a cluster. */
export function rememberHome({ dataDir, home }: Place): void {
  if (home !== dataDir) writeFileSync(pointerPath(dataDir), `${home}\n`);
}

/** A folder of ours that every user can reach; the last choice may not outlast a restart. */
export function systemFolder(user: ServerUser): string {
  for (const parent of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(parent, 'curbside');
    if (closedFolder(parent, user) === undefined && isOurOwn(folder, 0o755)) return folder;
  }
  throw new EmbeddedDatabaseError(
    `The user that runs PostgreSQL (uid ${user.uid}) can reach neither the data folder nor /var/lib, /var/tmp or ${tmpdir()}: set DATA_DIR to a folder that it can reach, or set DATABASE_URL.`,
  );
}

/** The cluster's own folder, or a short one under the temporary folder where its path is too long. */
function chooseSocketFolder(cluster: string, user: ServerUser | undefined): string {
  const name = `curbside-${hash(cluster)}`;
  const folder = [tmpdir(), '/tmp']
    .filter((parent) => user === undefined || closedFolder(parent, user) === undefined)
    .map((parent) => join(parent, name));
  return [cluster, ...folder].find(fits) ?? cluster;
}

/** Makes it, unless it is the cluster's own, which PostgreSQL itself keeps private. */
export function makeSocketFolder({ cluster, socketFolder, user }: Place): void {
  if (socketFolder === cluster ? fits(cluster) : isOurOwn(socketFolder, 0o700, user)) return;
  throw new EmbeddedDatabaseError(
    `The path ${cluster} is too long for a socket, and ${socketFolder} cannot be used instead: remove what is there, or set DATA_DIR to a folder with a shorter path.`,
  );
}

/**
 * Makes the folder unless it is there. Its name can be guessed, so one that is there must not be
 * another user's, nor open to others' writing.
 */
function isOurOwn(folder: string, mode: number, user?: ServerUser): boolean {
  try {
    mkdirSync(folder);
    chmodSync(folder, mode); // Whatever the umask.
    if (user) chownSync(folder, user.uid, user.gid);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false;
  }
  const stats = lstatSync(folder);
  const owner = user?.uid ?? process.geteuid?.();
  return stats.isDirectory() && stats.uid === owner && (stats.mode & 0o777 & ~mode) === 0;
}

function readPointer(dataDir: string): string | undefined {
  try {
    return readFileSync(pointerPath(dataDir), 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX;
}

function hash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
