import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#server/operator-error.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { ask, type Connection } from './ask.ts';
import type { Binaries } from './binaries.ts';
import type { Place } from './places.ts';
import { explainExit, lastComplaint, spawnPostmaster, stopPostmaster } from './postmaster.ts';
import { disownPostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { isPostmaster } from './processes.ts';
import { PORT, USER } from './settings.ts';

export interface Server {
  /** A connection to the database that every cluster has. */
  readonly connection: Connection;
  readonly pid: number;
  readonly adopted: boolean;
  /** Settles when a server that this process started exits. */
  readonly exited?: Promise<void>;
}

const POLL_MS = 15;
/** Retried: a killed server's processes are about to exit, or another start was faster. */
const TEMPORARY = /pre-existing shared memory block|lock file "[^"]*" already exists/;

/** Waits until the server running on the cluster accepts connections; undefined if there is none. */
export async function findRunning(
  place: Place,
  silenceMs: number = TIME_OUTS.embeddedSilence.ms,
): Promise<Server | undefined> {
  const file = await readOnceComplete(place, silenceMs);
  if (file === undefined) return undefined;
  const isRunning = () => isPostmaster(file.pid, place.cluster);
  // If containers share the folder, the process is not visible, but its socket responds.
  if (!isRunning() && file.socketFolder !== place.socketFolder) return undefined;
  const connection = { ...connectionTo(file.socketFolder), port: file.port };
  const outcome =
    file.socketFolder === '' ? 'mute' : await waitFor(connection, isRunning, silenceMs);
  if (outcome === 'ready') return { connection, pid: file.pid, adopted: true };
  if (outcome === 'ended') return undefined;
  throw new OperatorError(
    `PostgreSQL (process ${file.pid}) is running on ${place.cluster}, but does not respond: end that process and start again.`,
  );
}

/** A server writes its process id into the file first, and its socket path a moment later. */
async function readOnceComplete({ cluster }: Place, silenceMs: number) {
  const deadline = Date.now() + silenceMs;
  let file = readPostmasterFile(cluster);
  while (file?.socketFolder === '' && isPostmaster(file.pid, cluster) && Date.now() < deadline) {
    await sleep(POLL_MS);
    file = readPostmasterFile(cluster);
  }
  return file;
}

/** Starts a server on a complete cluster, and waits until it accepts connections. */
export async function launchServer(place: Place, binaries: Binaries): Promise<Server> {
  const connection = connectionTo(place.socketFolder);
  const deadline = Date.now() + TIME_OUTS.embeddedSilence.ms;
  for (;;) {
    disownPostmasterFile(place.cluster, place.socketFolder);
    const { pid, exited } = await spawnPostmaster(place, binaries);
    let ended = false;
    void exited.then(() => {
      ended = true;
    });
    const outcome = await waitFor(connection, () => !ended);
    const isOurs = readPostmasterFile(place.cluster)?.pid === pid;
    if (outcome === 'ready' && isOurs) return { connection, pid, adopted: false, exited };
    if (outcome === 'mute') {
      await stopPostmaster(pid);
      throw explainExit(place);
    }
    if (!TEMPORARY.test(lastComplaint(place.logFile)) || Date.now() > deadline) {
      throw explainExit(place);
    }
    const other = await findRunning(place);
    if (other) return other;
    await sleep(POLL_MS);
  }
}

async function waitFor(
  connection: Connection,
  isRunning: () => boolean,
  silenceMs: number = TIME_OUTS.embeddedSilence.ms,
): Promise<'ready' | 'ended' | 'mute'> {
  const end = Date.now() + TIME_OUTS.embeddedRecovery.ms;
  let giveUpAt = Date.now() + silenceMs;
  while (Date.now() < Math.min(giveUpAt, end)) {
    // Checked first: a server that exits between the two checks has not responded.
    const stillRunning = isRunning();
    const answer = await ask(connection);
    if (answer === 'ready') return 'ready';
    if (answer === 'starting') giveUpAt = Date.now() + silenceMs;
    else if (!stillRunning) return 'ended';
    await sleep(POLL_MS);
  }
  return 'mute';
}

function connectionTo(socketFolder: string): Connection {
  return { host: socketFolder, port: PORT, user: USER, database: 'postgres', ssl: false };
}
