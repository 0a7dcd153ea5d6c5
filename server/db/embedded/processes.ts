import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { CLUSTER_NAME } from './settings.ts';

/**
 * Identifies the process that has this id now, to distinguish it from a later one with the same id:
 * its start time, and on Linux also the boot. Undefined if there is no process, or only a zombie
 * (in a container, nobody may reap orphans).
 */
export function processIdentity(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  if (process.platform !== 'linux') return identityFromPs(pid);
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The command's name is in parentheses and may contain any character: proc_pid_stat(5).
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const startedAt = rest[18];
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startedAt}`;
}

/** Whether this process is a PostgreSQL server on the given cluster, no matter who started it. */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') return ps(pid, 'command').includes(`postgres -D ${cluster}`);
  const [program = '', ...args] = (readProc(pid, 'cmdline') ?? '').split('\0');
  if (basename(program) !== 'postgres') return false;
  return args.includes(cluster) || workingFolder(pid) === cluster;
}

/** Whether our launcher started it, according to its command line. */
export function isOurPostmaster(pid: number, cluster: string): boolean {
  if (!isPostmaster(pid, cluster)) return false;
  const command = process.platform === 'linux' ? readProc(pid, 'cmdline') : ps(pid, 'command');
  return command?.includes(`cluster_name=${CLUSTER_NAME}`) === true;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function identityFromPs(pid: number): string | undefined {
  const [state = 'Z', ...startedAt] = ps(pid, 'stat=,lstart').split(/\s+/);
  return state.startsWith('Z') ? undefined : startedAt.join(' ');
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-ww', '-o', `${columns}=`, '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
  } catch {
    // ps exits with 1 if there is no such process.
    return 'Z';
  }
}

function readProc(pid: number, file: 'stat' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // It has just exited.
  }
}

/** A postmaster's working folder is its cluster, however its command line spells the path. */
function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // It has just exited, or belongs to another user.
  }
}
