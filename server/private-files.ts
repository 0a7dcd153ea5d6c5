import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { OperatorError } from './operator-error.ts';

/**
 * Closes a file or folder to all but its owner, as it may have come from a backup or a copy.
 * @throws OperatorError where that is not ours to do
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

/** Writes a new file that only its owner can read, in the place of whatever has its name. */
export function writePrivate(path: string, text: string): void {
  // An existing file would keep its mode, and a link would lead elsewhere.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}
