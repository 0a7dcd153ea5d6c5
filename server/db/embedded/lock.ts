import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedDatabaseError } from './error.ts';
import { processIdentity } from './processes.ts';

const POLL_MS = 25;
/** Between the creation of a lock file and the writing of its content there are microseconds. */
const UNWRITTEN_MS = 2000;

export class LockTimeout extends EmbeddedDatabaseError {}

/**
 * Runs `work` while no other process is inside the same lock: a file created with `O_EXCL` that
 * names its holder. The lock of a process that has died is taken over.
 */
export async function withLock<T>(
  path: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const token = `${process.pid} ${processIdentity(process.pid)} ${randomUUID()}`;
  const deadline = Date.now() + waitMs;
  while (!create(path, token)) {
    const holder = read(path);
    if (holder !== undefined && isStale(path, holder) && takeAway(path, holder)) continue;
    if (Date.now() > deadline) throw timeout(path, holder);
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if (read(path) === token) unlinkSync(path);
  }
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // On a full disk the file is created, and only its content is refused.
    if (codeOf(error) === 'ENOSPC' && read(path) === '') unlinkSync(path);
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isStale(path: string, holder: string): boolean {
  if (holder === '') return Date.now() - modifiedAt(path) > UNWRITTEN_MS;
  const [pid, identity] = holder.split(' ');
  return processIdentity(Number(pid)) !== identity;
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

/**
 * Of several that see the same dead holder only one may remove its file, and only while it is still
 * that holder's: a slower one would else remove the lock of the process that came next.
 */
function takeAway(path: string, holder: string): boolean {
  const claim = `${path}.takeover`;
  if (!create(claim, '')) return false;
  try {
    if (read(path) === holder && isStale(path, holder)) unlinkSync(path);
    return true;
  } finally {
    unlinkSync(claim);
  }
}

function timeout(path: string, holder = ''): LockTimeout {
  const pid = holder.split(' ')[0] || 'unknown';
  return new LockTimeout(
    `Another start (process ${pid}) has held ${path} for too long: end that process, delete ${path}* and start again.`,
  );
}
