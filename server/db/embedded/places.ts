import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '#server/errors/operator-error.ts';
import { ifPresent } from '#server/files/data-files.ts';
import { PORT } from './settings.ts';

/** `sun_path` has 104 bytes on macOS and 108 on Linux, including the final zero. */
const SOCKET_PATH_MAX = 103;
/** Only root needs it, for what the user that runs PostgreSQL cannot reach elsewhere. */
export const SYSTEM_FOLDER = '/var/lib/curbside-embedded';
/** macOS has `_postgres`. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/** The unprivileged user that runs PostgreSQL if we are root, because it refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export interface Place {
  readonly dataDir: string;
  /** The folder with the cluster. It is the data folder if possible. */
  readonly home: string;
  readonly cluster: string;
  readonly user: ServerUser | undefined;
}

/** Determines all paths of this data folder. */
export function findPlace(dataDir: string): Place {
  const known = knownHome(dataDir);
  const user = chooseServerUser(dataDir, join(known ?? dataDir, 'postgres'));
  const home = known ?? chooseHome(dataDir, user);
  return { dataDir, home, cluster: join(home, 'postgres'), user };
}

/** Contains the path of the home, if it is outside the data folder. */
export const pointerPath = (dataDir: string) => join(dataDir, 'postgres-location');

/** The home of this data folder, if it has been started before. */
function knownHome(dataDir: string): string | undefined {
  const home = ifPresent(() => readFileSync(pointerPath(dataDir), 'utf8').trim());
  if (home === undefined) return existsSync(join(dataDir, 'postgres')) ? dataDir : undefined;
  if (existsSync(join(home, 'postgres'))) return home;
  throw new OperatorError(
    `The database of ${dataDir} was stored in ${home}, which no longer exists: restore that folder, or delete ${pointerPath(dataDir)} to start with an empty database.`,
  );
}

/** The folder for a new cluster: the data folder, if the user that runs PostgreSQL can reach it. */
function chooseHome(dataDir: string, user: ServerUser | undefined): string {
  if (user === undefined || closedFolder(dataDir, user) === undefined) return dataDir;
  // Not named after the data folder: a recreated one does not bring back the old database.
  return join(SYSTEM_FOLDER, randomUUID());
}

/** Creates a folder that every user can enter, whatever the umask. */
export function openFolder(folder: string): string {
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755);
  return folder;
}

/** The cluster's own folder, which PostgreSQL keeps private, or a new one if its path is too long. */
export function makeSocketFolder({ cluster, user }: Place): string {
  if (Buffer.byteLength(join(cluster, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX) return cluster;
  const folder = mkdtempSync('/tmp/curbside-');
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

export const isRoot = () => process.geteuid?.() === 0;

/**
 * Chooses the user that runs PostgreSQL; undefined for an ordinary user, who runs it directly. For
 * root: the owner of the cluster if there is one, else of the data folder (a `sudo` user will want
 * to start without it next time), else one of the system's unprivileged users.
 */
export function chooseServerUser(dataDir: string, cluster: string): ServerUser | undefined {
  if (!isRoot()) return undefined;
  const clusterOwner = ownerOf(cluster);
  if (clusterOwner) return clusterOwner;
  const folderOwner = ownerOf(dataDir);
  // initdb requires a user with a name. The owner of a container's mounted folder may have none.
  if (folderOwner && id('-un', String(folderOwner.uid)) !== undefined) return folderOwner;
  for (const name of CANDIDATES) {
    const [uid, gid] = [id('-u', name), id('-g', name)];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new OperatorError(
    `PostgreSQL does not run as root, and there is no user named ${CANDIDATES.join(', ')} to run it as: start as an ordinary user, or set DATABASE_URL.`,
  );
}

/** The first folder on the way down to `path` that this user cannot access. */
export function closedFolder(path: string, user: ServerUser): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : closedFolder(parent, user);
  return above ?? (mayPass(path, user) ? undefined : path);
}

/** A path that does not exist yet will be created by us, so it is passable. */
function mayPass(path: string, { uid, gid }: ServerUser): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001;
  return (stats.mode & bit) !== 0;
}

function ownerOf(path: string): ServerUser | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

function id(option: string, name: string): string | undefined {
  try {
    return execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined; // No such user.
  }
}
