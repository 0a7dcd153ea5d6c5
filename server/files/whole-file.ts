import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';

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
