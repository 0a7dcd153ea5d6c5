import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path, { dirname, sep } from 'node:path';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';

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

/** A draft of another machine that nobody has written to for so long is abandoned. */
const ABANDONED_MS = 3_600_000;
const DRAFT = /\.([\w-]+)\.(\d+)-[0-9a-f]{8}\.partial$/;
const HOST = hostname().replace(/[^\w-]/g, '_');

/**
 * Writes a file that only its owner can read, under a temporary name until it is complete on disk.
 * On any error, leaves no new file, and keeps an existing one unchanged.
 * First removes what killed runs have left in the folder.
 */
export async function writeWholeFile(
  file: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const id = randomBytes(4).toString('hex');
  const draft = `${file}.${HOST}.${process.pid}-${id}.partial`;
  try {
    await removeAbandoned(path.dirname(file));
    const handle = await open(draft, 'wx', 0o600);
    try {
      for await (const chunk of source) {
        if (signal?.aborted) throw new OperatorError('stopped: nothing was written');
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFileError(file, error);
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = DRAFT.exec(name) ?? [];
    if (host === undefined) continue;
    const draft = path.join(folder, name);
    const isAbandoned = host === HOST ? !isRunning(Number(pid)) : await isOld(draft);
    if (isAbandoned) await rm(draft, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may be another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isOld(draft: string): Promise<boolean> {
  // Another run may have completed or removed it.
  const { mtimeMs = Date.now() } = await stat(draft).catch(() => ({ mtimeMs: undefined }));
  return Date.now() - mtimeMs > ABANDONED_MS;
}

/** Otherwise a power failure could undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
