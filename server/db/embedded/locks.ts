import { accessSync, chownSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#server/errors/operator-error.ts';
import { codeOf, ifPresent } from '#server/files/data-files.ts';
import { isRoot } from './places.ts';

// Node.js locks no files itself. SQLite does, and the kernel releases the locks of a killed process.

const POLL_MS = 25;
const SQLITE_BUSY = 5;

export class LockTimeout extends OperatorError {}

/** Runs `work` while no other process does so with the same file. */
export async function withLock<T>(
  file: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const lock = open(file);
  try {
    const deadline = Date.now() + waitMs;
    while (!tryToLock(lock)) {
      if (Date.now() > deadline) throw timeout(file);
      await sleep(POLL_MS);
    }
    create(`${file}.holder`);
    writeFileSync(`${file}.holder`, String(process.pid));
    return await work();
  } finally {
    lock.close();
  }
}

/** Otherwise the garbage collector would close them. */
const leases = new Set<DatabaseSync>();

export interface Lease {
  /** Ends this use of the server. Returns whether it was the last one. Call it under the lock. */
  end(): boolean;
}

/** Registers this process as a user of the server. The last one stops it, no matter who started it. */
export function takeLease(file: string): Lease {
  const lease = open(file);
  // The lock lasts as long as the transaction.
  lease.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  leases.add(lease);
  let isLast = true;
  return {
    end() {
      if (!lease.isOpen) return isLast;
      lease.exec('ROLLBACK');
      isLast = tryToLock(lease);
      lease.close();
      leases.delete(lease);
      return isLast;
    },
  };
}

function open(file: string): DatabaseSync {
  create(file);
  accessSync(file, constants.R_OK | constants.W_OK); // Names the reason, unlike SQLite.
  return new DatabaseSync(file);
}

/**
 * Gives the file to the owner of its folder: after `sudo`, the user may start without it next time.
 * Does not open an existing file, because closing it would release the locks of this process.
 */
function create(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    const { uid, gid } = statSync(dirname(file));
    if (isRoot()) chownSync(file, uid, gid);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function tryToLock(database: DatabaseSync): boolean {
  try {
    // Its journal would need space on the disk.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

function timeout(file: string): LockTimeout {
  const holder = ifPresent(() => readFileSync(`${file}.holder`, 'utf8')) || 'unknown';
  return new LockTimeout(
    `Another start (process ${holder}) has held ${file} for too long: end that process and start again.`,
  );
}
