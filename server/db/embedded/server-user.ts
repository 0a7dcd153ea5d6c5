import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';

/**
 * The unprivileged user that runs PostgreSQL if we are root, because PostgreSQL refuses to run as
 * root.
 */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** macOS has `_postgres`. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Chooses the user that runs PostgreSQL; undefined for an ordinary user, who runs it directly. For
 * root: the owner of the cluster if there is one, else of the data folder (a `sudo` user will want
 * to start without it next time), else one of the system's unprivileged users.
 */
export function chooseServerUser(dataDir: string, cluster: string): ServerUser | undefined {
  if (!isRoot()) return undefined;
  const clusterOwner = ownerOf(cluster);
  if (clusterOwner !== undefined) return clusterOwner;
  const folderOwner = ownerOf(dataDir);
  // initdb requires a user with a name. The owner of a container's mounted folder may have none.
  if (folderOwner !== undefined && id('-un', String(folderOwner.uid)) !== undefined) {
    return folderOwner;
  }
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
function mayPass(path: string, user: ServerUser): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (stats.uid === user.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === user.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}

function ownerOf(path: string): ServerUser | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.uid === 0 ? undefined : { uid: stats.uid, gid: stats.gid };
}

function id(option: string, name: string): string | undefined {
  try {
    return execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined; // No such user.
  }
}
