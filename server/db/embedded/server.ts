import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '#server/errors/operator-error.ts';
import { codeOf, diskFull, ifPresent, tellsOfFullDisk } from '#server/files/data-files.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { type Binaries, CLEAN_ENVIRONMENT } from './binaries.ts';
import { makeSocketFolder, type Place } from './places.ts';
import { isPostmaster, stopPostmaster } from './processes.ts';
import { PORT, serverArguments, USER } from './settings.ts';

export interface Connection {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Otherwise `PGSSLMODE` counts, and the server has no certificate. */
  readonly ssl: false;
}

export interface Server {
  /** A connection to the database that every cluster has. */
  readonly connection: Connection;
  readonly pid: number;
  readonly adopted: boolean;
}

const POLL_MS = 15;
const HARDLY_ANY_BYTES = 1 << 20;
const CANNOT_CONNECT_NOW = '57P03';
const DUPLICATE_DATABASE = '42P04';
const connectionTo = (host: string, port = PORT): Connection => ({
  host,
  port,
  user: USER,
  database: 'postgres',
  ssl: false,
});

/** The content of `postmaster.pid`, written by a running server (PostgreSQL's `pidfile.h`). */
export function readPostmasterFile(cluster: string) {
  const text = ifPresent(() => readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder = ''] = text.split('\n');
  return { pid: Number(pid), port: Number(port), socketFolder };
}

/** Waits until the server running on the cluster accepts connections; undefined if there is none. */
export async function findRunning(
  { cluster }: Place,
  silenceMs: number = TIME_OUTS.embeddedSilence.ms,
): Promise<Server | undefined> {
  let pid = 0;
  let connection = connectionTo('');
  const outcome = await waitFor(silenceMs, () => {
    const file = readPostmasterFile(cluster);
    if (file === undefined) return undefined;
    pid = file.pid;
    const isRunning = isPostmaster(pid, cluster);
    // If containers share the folder, the process is not visible, but its socket responds.
    if (!isRunning && file.socketFolder !== cluster) return undefined;
    connection = connectionTo(file.socketFolder, file.port);
    return { isRunning, connection };
  });
  if (outcome === 'ended') return undefined;
  if (outcome === 'ready') return { connection, pid, adopted: true };
  throw new OperatorError(
    `PostgreSQL (process ${pid}) is running on ${cluster}, but does not respond: end that process and start again.`,
  );
}

/**
 * Starts a server on a complete cluster, and waits until it accepts connections. It has its own
 * session: Ctrl-C in the terminal signals the whole group, and must not end the server before the
 * application has closed its pool.
 */
export async function launchServer(place: Place, binaries: Binaries): Promise<Server> {
  const { cluster, user } = place;
  const logFile = join(place.dataDir, 'postgres.log');
  const connection = connectionTo(makeSocketFolder(place));
  const program = join(binaries.folder, 'bin', 'postgres');
  const deadline = Date.now() + TIME_OUTS.embeddedSilence.ms;
  for (;;) {
    disownPostmasterFile(cluster);
    const log = openLog(logFile);
    const child = spawn(program, serverArguments(cluster, connection.host), {
      ...user,
      cwd: '/',
      env: CLEAN_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    const pid = Number(child.pid);
    const outcome = await waitFor(TIME_OUTS.embeddedSilence.ms, () => ({
      isRunning: child.exitCode === null && child.signalCode === null,
      connection,
    }));
    if (outcome === 'ready') return { connection, pid, adopted: false };
    if (outcome === 'mute') await stopPostmaster(pid, cluster);
    // The processes of a killed server are about to exit.
    const isTemporary = /pre-existing shared memory block/.test(lastComplaint(logFile));
    if (!isTemporary || Date.now() > deadline) throw explainExit(cluster, logFile);
    await sleep(POLL_MS);
  }
}

/** Repeats `look` until its connection works, nothing runs, or nothing has responded for long. */
async function waitFor(
  silenceMs: number,
  look: () => { isRunning: boolean; connection: Connection } | undefined,
): Promise<'ready' | 'ended' | 'mute'> {
  const end = Date.now() + TIME_OUTS.embeddedRecovery.ms;
  let giveUpAt = Date.now() + silenceMs;
  while (Date.now() < Math.min(giveUpAt, end)) {
    // Looks first: a server that exits before it is asked has not responded.
    const seen = look();
    if (seen === undefined) return 'ended';
    // A server writes its process id into the file first, and its socket a moment later.
    const answer = seen.connection.host === '' ? 'silent' : await ask(seen.connection);
    if (answer === 'ready') return 'ready';
    if (answer === 'starting') giveUpAt = Date.now() + silenceMs;
    else if (!seen.isRunning) return 'ended';
    await sleep(POLL_MS);
  }
  return 'mute';
}

/** `starting` includes stopping: there is a process that accepts no connections right now. */
async function ask(connection: Connection): Promise<'ready' | 'starting' | 'silent'> {
  try {
    await query(connection, 'SELECT 1');
    return 'ready';
  } catch (error) {
    if (codeOf(error) === CANNOT_CONNECT_NOW) return 'starting';
    // It may belong to somebody else. Otherwise it was refused, reset, or timed out, or is not ours.
    if (codeOf(error) === 'EACCES') throw error;
    return 'silent';
  }
}

export async function ensureDatabase(connection: Connection, name: string): Promise<void> {
  try {
    await query(connection, `CREATE DATABASE ${name}`);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_DATABASE) throw error;
  }
}

async function query(connection: Connection, text: string): Promise<void> {
  const connectionTimeoutMillis = TIME_OUTS.embeddedConnection.ms;
  const client = new pg.Client({ ...connection, connectionTimeoutMillis });
  // A lost connection also rejects the query. Without a listener, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end();
  }
}

/**
 * Prepares for a new server after one that is gone. PostgreSQL ignores a dead process in its file,
 * but not another program of its user that has reused the id. The file must not be deleted, because
 * it names the shared memory by which PostgreSQL detects survivors of the old server. PostgreSQL also
 * ignores its own parent, so this writes the parent's id into the file. It does not follow symbolic
 * links, because we may be root in an unprivileged user's folder.
 */
function disownPostmasterFile(cluster: string): void {
  const path = join(cluster, 'postmaster.pid');
  const [, ...lines] = ifPresent(() => readFileSync(path, 'utf8').split('\n')) ?? [];
  if (lines.length > 0) {
    const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
    writeFileSync(file, [process.pid, ...lines].join('\n'));
    closeSync(file);
  }
  // This lock has no purpose here, because the socket's folder is private to the cluster.
  rmSync(join(cluster, `.s.PGSQL.${PORT}.lock`), { force: true });
}

/** Also keeps the log of the previous start. The two cannot grow without limit. */
function openLog(path: string): number {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  // Exclusive mode does not follow symbolic links.
  return openSync(path, 'wx', 0o600);
}

/** Why the server that wrote this log failed, in one line. */
function explainExit(cluster: string, logFile: string): OperatorError {
  const reason = lastComplaint(logFile);
  const { bavail, bsize } = statfsSync(cluster);
  // On a full disk, the log may be empty.
  if (tellsOfFullDisk(reason) || bavail * bsize < HARDLY_ANY_BYTES) return diskFull(cluster);
  return new OperatorError(
    `PostgreSQL did not start on ${cluster} (${reason || 'it gave no reason'}): see ${logFile}.`,
  );
}

/** The last fatal line, except those for clients that connect too early or too late. */
function lastComplaint(logFile: string): string {
  const log = readFileSync(logFile, 'utf8').trim();
  const complaints = [...log.matchAll(/(?:FATAL|PANIC): +(?!the database system is )(.+)/g)];
  // Before reading its settings, it logs in another format.
  return complaints.at(-1)?.[1] ?? log.split('\n').at(-1) ?? '';
}
