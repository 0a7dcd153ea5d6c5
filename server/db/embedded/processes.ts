import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '#server/files/data-files.ts';
import { CLUSTER_NAME } from './settings.ts';

const POLL_MS = 10;
/** Fast shutdown, then shutdown without a checkpoint, then kill. */
const SIGNALS = [
  { signal: 'SIGINT', graceMs: 10_000 },
  { signal: 'SIGQUIT', graceMs: 7_000 },
  { signal: 'SIGKILL', graceMs: 3_000 },
] as const;

/** The command line of a process. Empty if there is none, or only a zombie, which nobody may reap. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    }
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Whether this process is a PostgreSQL server on the given cluster, no matter who started it. */
export function isPostmaster(pid: number, cluster: string): boolean {
  const command = `${commandOf(pid).trim()} `;
  if (command.includes(`postgres -D ${cluster} `)) return true;
  // It works in its cluster, however its command line spells the path.
  return /(^|\/)postgres /.test(command) && workingFolder(pid) === cluster;
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // It has just exited, belongs to another user, or this is not Linux.
  }
}

/** Stops a server that our launcher started, and waits for it to end. Leaves others alone. */
export async function stopPostmaster(
  pid: number,
  cluster: string,
  signals: readonly { signal: NodeJS.Signals; graceMs: number }[] = SIGNALS,
): Promise<void> {
  if (!commandOf(pid).includes(`cluster_name=${CLUSTER_NAME}`)) return;
  for (const { signal, graceMs } of signals) {
    if (!isPostmaster(pid, cluster)) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error;
    }
    const deadline = Date.now() + graceMs;
    while (isPostmaster(pid, cluster) && Date.now() < deadline) await sleep(POLL_MS);
  }
}
