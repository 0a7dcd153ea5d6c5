import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ifPresent } from './error.ts';
import { processIdentity } from './processes.ts';

export interface Lease {
  release(): void;
}

/**
 * Registers this process as a user of the server, with a file named after its process id. The last
 * user to leave stops the server, no matter who started it. Leases of dead processes do not count.
 */
export function takeLease(folder: string): Lease {
  mkdirSync(folder, { recursive: true });
  // A process may use the same server twice, so its id alone is not unique.
  const path = join(folder, `${process.pid}-${randomUUID().slice(0, 8)}`);
  writeFileSync(path, `${processIdentity(process.pid)}`, { flag: 'wx' });
  return { release: () => rmSync(path, { force: true }) };
}

/** Counts the users of the server, including this process. Call it under the lock. */
export function countLeases(folder: string): number {
  let live = 0;
  for (const name of ifPresent(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    // Leases are released without the lock, so a file may disappear at any moment.
    const holder = ifPresent(() => readFileSync(path, 'utf8')) ?? 'released';
    if (holder === processIdentity(Number.parseInt(name, 10))) live += 1;
    else rmSync(path, { force: true });
  }
  return live;
}
