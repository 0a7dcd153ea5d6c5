import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#server/operator-error.ts';
import { type Binaries, CLEAN_ENVIRONMENT } from './binaries.ts';
import { codeOf, diskFull, tellsOfFullDisk } from './error.ts';
import type { Place } from './places.ts';
import { processIdentity } from './processes.ts';
import { serverArguments } from './settings.ts';

export interface Postmaster {
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly exited: Promise<void>;
}

/** Fast shutdown, then shutdown without a checkpoint, then kill. */
const SIGNALS = [
  { signal: 'SIGINT', graceMs: 10_000 },
  { signal: 'SIGQUIT', graceMs: 7_000 },
  { signal: 'SIGKILL', graceMs: 3_000 },
] as const;
const POLL_MS = 10;
const HARDLY_ANY_BYTES = 1 << 20;

/**
 * Starts the server in its own session. Ctrl-C in the terminal signals the whole group, and must
 * not end the server before the application has closed its pool.
 */
export async function spawnPostmaster(place: Place, binaries: Binaries): Promise<Postmaster> {
  const log = openLog(place.logFile);
  try {
    const program = join(binaries.folder, 'bin', 'postgres');
    const child = spawn(program, serverArguments(place.cluster, place.socketFolder), {
      ...place.user,
      cwd: '/',
      env: CLEAN_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log, log],
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    return { pid: Number(child.pid), exited };
  } finally {
    closeSync(log);
  }
}

/** Stops the server and waits for it to end. */
export async function stopPostmaster(
  pid: number,
  signals: readonly { signal: NodeJS.Signals; graceMs: number }[] = SIGNALS,
): Promise<void> {
  const identity = processIdentity(pid);
  const isGone = () => identity === undefined || processIdentity(pid) !== identity;
  for (const { signal, graceMs } of signals) {
    if (isGone()) return;
    send(signal, pid);
    const deadline = Date.now() + graceMs;
    while (!isGone() && Date.now() < deadline) await sleep(POLL_MS);
  }
}

/** Why the server that wrote this log failed, in one line. */
export function explainExit({ cluster, logFile }: Place): OperatorError {
  const reason = lastComplaint(logFile);
  if (tellsOfFullDisk(reason) || isFull(cluster)) return diskFull(cluster);
  return new OperatorError(
    `PostgreSQL did not start on ${cluster} (${reason || 'it gave no reason'}): see ${logFile}.`,
  );
}

/** The last fatal line, except those for clients that connect too early or too late. */
export function lastComplaint(logFile: string): string {
  const log = readFileSync(logFile, 'utf8').trim();
  const complaints = [...log.matchAll(/(?:FATAL|PANIC): +(?!the database system is )(.+)/g)];
  // Before reading its settings, it logs in another format.
  return complaints.at(-1)?.[1] ?? log.split('\n').at(-1) ?? '';
}

/** Also keeps the log of the previous start. The two cannot grow without limit. */
function openLog(path: string): number {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  // Exclusive mode does not follow symbolic links.
  return openSync(path, 'wx', 0o600);
}

/** On a full disk, the log is also empty. */
function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < HARDLY_ANY_BYTES;
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
