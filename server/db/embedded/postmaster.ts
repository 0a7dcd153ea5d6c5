import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, CLEAN_ENVIRONMENT } from './binaries.ts';
import { codeOf, diskFull, EmbeddedDatabaseError, tellsOfFullDisk } from './error.ts';
import type { Place } from './places.ts';
import { processIdentity } from './processes.ts';
import { serverArguments } from './settings.ts';

export interface Postmaster {
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly exited: Promise<void>;
}

/** Fast shutdown, then one without a checkpoint, then none of the server's own doing. */
const SIGNALS = [
  { signal: 'SIGINT', graceMs: 10_000 },
  { signal: 'SIGQUIT', graceMs: 7_000 },
  { signal: 'SIGKILL', graceMs: 3_000 },
] as const;
const POLL_MS = 10;
const HARDLY_ANY_BYTES = 1 << 20;

/**
 * Starts the server in a session of its own: a Ctrl-C in the terminal goes to the whole group, and
 * must not end it before the application has closed its pool.
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

/** Ends the server, and comes back when it is gone. */
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

/** Why the server that wrote this log gave up, in one line. */
export function explainExit({ cluster, logFile }: Place): EmbeddedDatabaseError {
  const reason = lastComplaint(logFile);
  if (tellsOfFullDisk(reason) || isFull(cluster)) return diskFull(cluster);
  return new EmbeddedDatabaseError(
    `PostgreSQL did not start on ${cluster} (${reason || 'it gave no reason'}): see ${logFile}.`,
  );
}

/** The last fatal line, but for what it answers those who ask too early or too late. */
export function lastComplaint(logFile: string): string {
  const log = readFileSync(logFile, 'utf8').trim();
  const complaints = [...log.matchAll(/(?:FATAL|PANIC): +(?!the database system is )(.+)/g)];
  // Before it has read its settings it uses no such form.
  return complaints.at(-1)?.[1] ?? log.split('\n').at(-1) ?? '';
}

/** The log of the start before is kept beside it; together they cannot grow for ever. */
function openLog(path: string): number {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  // Exclusively, so that no symbolic link is followed.
  return openSync(path, 'wx', 0o600);
}

/** On a full disk the log is empty, too. */
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
