import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error.ts';
import { processIdentity } from './processes.ts';

export interface Lease {
  release(): void;
}

/**
 * Registers this process as a user of the server: a file named by its id. The last user out stops
 * the server, whoever started it; the lease of a process that was killed does not count.
 */
export function takeLease(folder: string): Lease {
  mkdirSync(folder, { recursive: true });
  // One process may use the same server twice, so the id alone would not do.
  const path = join(folder, `${process.pid}-${randomUUID().slice(0, 8)}`);
  writeFileSync(path, `${processIdentity(process.pid)}`, { flag: 'wx' });
  return { release: () => rmSync(path, { force: true }) };
}

/** How many users the server has, this process included. Call it under the lock. */
export function countLeases(folder: string): number {
  let live = 0;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (holderOf(path) === processIdentity(Number.parseInt(name, 10))) live += 1;
    else rmSync(path, { force: true });
  }
  return live;
}

function holderOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // A lease is given back without the lock, so it may go at any moment.
    if (codeOf(error) === 'ENOENT') return 'released';
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
