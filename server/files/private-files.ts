import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { OperatorError } from '#server/errors/operator-error.ts';

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
