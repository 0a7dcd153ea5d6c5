import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/errors/operator-error.ts';
import { diskFull, tellsOfFullDisk } from '#server/files/data-folder-errors.ts';
import { type Binaries, CLEAN_ENVIRONMENT } from './binaries.ts';
import { closedFolder, type Place, type ServerUser } from './places.ts';
import { initdbArguments } from './settings.ts';

const DRAFT = 'postgres.init-';
/** The second is for systems without the first, such as older versions of macOS. */
const LOCALES = ['C.UTF-8', 'C'];

/**
 * Ensures that the folder has a complete cluster that this user's PostgreSQL can open. A new
 * cluster is built next to it, synced, and then renamed, so the folder is never half-finished.
 */
export async function prepareCluster({ cluster, user }: Place, binaries: Binaries): Promise<void> {
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
export function checkOwner({ cluster, user }: Place): void {
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
