import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { explainFileError, OperatorError } from '#server/operator-error.ts';

/**
 * Writes a file that only its owner can read, under a temporary name until it is complete on disk.
 * On any error, leaves no new file, and keeps an existing one unchanged.
 */
export async function writeWholeFile(
  file: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.partial`;
  try {
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

/** Otherwise a power failure could undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
