import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { OperatorError } from '#server/errors/operator-error.ts';

export function diskFull(folder: string): OperatorError {
  return new OperatorError(
    `The disk that holds ${folder} is full: free some space (a new database needs 100 MB), or set DATA_DIR to a folder on another disk.`,
  );
}

/** Whether a PostgreSQL message means that the disk is full. Truncated writes have another wording. */
export function tellsOfFullDisk(text: string): boolean {
  return /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(text);
}

/** The `code` of a Node.js system error or a PostgreSQL error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns undefined if the file or folder does not exist. */
export function ifPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Turns file system errors that a user can fix into one clear line. Leaves others unchanged. */
export function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof OperatorError) return error;
  const folder = failedFolder(error, dataDir);
  const problem = (is: string, doThis: string) =>
    new OperatorError(
      `The data folder ${folder} ${is}: ${doThis}, or set DATA_DIR to another folder.`,
    );
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case '53100': // PostgreSQL's disk_full
      return diskFull(folder);
    case 'EROFS':
      return problem('is on a read-only disk', 'make it writable');
    case 'EACCES':
    case 'EPERM':
      return problem('cannot be used by this user', 'give the user read and write access to it');
    case 'EEXIST':
    case 'ENOTDIR':
      return problem('is, or lies below, a file', 'move that file away');
    default:
      return error;
  }
}

/** Names the folder of the error: for root, the database may be outside the data folder. */
function failedFolder(error: unknown, dataDir: string): string {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') {
    return dataDir;
  }
  const inside = error.path === dataDir || error.path.startsWith(dataDir + sep);
  return inside ? dataDir : dirname(error.path);
}

/**
 * Removes other users' permissions from a file or folder, for example after a backup was restored.
 * Throws OperatorError if it belongs to another user.
 */
export function makePrivate(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    const open = (mode & 0o777).toString(8);
    throw new OperatorError(`${path} is open to other users (mode ${open}): run chmod go= ${path}`);
  }
}

/** Writes a file that only its owner can read. Replaces an existing one. */
export function writePrivate(path: string, text: string): void {
  // An existing file would keep its mode, and a link would be followed.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}
