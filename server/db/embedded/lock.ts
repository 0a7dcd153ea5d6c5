import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#server/operator-error.ts';
import { codeOf, ifPresent } from './error.ts';
import { processIdentity } from './processes.ts';

const POLL_MS = 25;
/** Time between creating a lock file and writing it: normally microseconds. */
const UNWRITTEN_MS = 2000;

export class LockTimeout extends OperatorError {}

/**
 * Runs `work` while no other process holds the lock: a file that is created with `O_EXCL` and names
 * its holder. Takes over a dead process's lock.
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
    // On a full disk, creating the file works and writing its content fails.
    if (codeOf(error) === 'ENOSPC' && read(path) === '') unlinkSync(path);
    throw error;
  }
}

const read = (path: string) => ifPresent(() => readFileSync(path, 'utf8'));

function isStale(path: string, holder: string): boolean {
  if (holder === '') return Date.now() - modifiedAt(path) > UNWRITTEN_MS;
  const [pid, identity] = holder.split(' ');
  return processIdentity(Number(pid)) !== identity;
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

/**
 * Removes a dead holder's file. Only one process may do so, and only while the file still names
 * that holder. Otherwise a slow process would remove the next holder's lock.
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
