import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, loadConfig, takeSettings, withFreePort } from './config/config.ts';
import { describeError } from './describe-error.ts';

/** The configured number of server processes. Exits with 1 if the configuration is invalid. */
function workersIn(load: () => Config): number {
  try {
    return load().workers;
  } catch (error) {
    console.error(describeError(error));
    process.exit(1);
  }
}

/** A worker that ends is replaced after a pause. The pause doubles while workers keep ending early. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that ran this long did not end early. */
const STEADY_MS = 60_000;

/**
 * Runs server processes that share the port (Node's `cluster`), and replaces those that end. Prints
 * one greeting once all of them serve. Exits with 1 if one does not start, and with 0 after a
 * signal. The settings go through a pipe, because other processes can read a process's environment.
 */
function runWorkers(count: number, settings: NodeJS.ProcessEnv): void {
  let stopping = false;
  let serving = false;
  let failures = 0;

  /** A replacement gets the index of the process it replaces, and so the same port for its metrics. */
  const start = (index: number): Worker => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    worker.send({ settings, index } satisfies FromPrimary);
    worker.once('exit', (code, signal) => {
      if (performance.now() - startedAt > STEADY_MS) failures = 0;
      ended(index, signal || `code ${code}`);
    });
    return worker;
  };

  const ended = (index: number, how: string) => {
    if (stopping) return exitOnceAlone();
    if (!serving) return stop(1);
    const wait = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    console.error(
      `curbside: a server process ended (${how}): starting another in ${wait / 1000} s`,
    );
    void pause(wait).then(() => stopping || start(index));
  };

  const stop = (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    process.exitCode = exitCode;
    for (const { process: child } of allWorkers()) child.kill('SIGTERM');
    exitOnceAlone();
  };

  const workers = Array.from({ length: count }, (_, index) => start(index));
  void Promise.all(workers.map((worker) => once(worker, 'message'))).then(([first]) => {
    serving = true;
    console.log(first?.[0]);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
}

const allWorkers = () =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function exitOnceAlone() {
  if (allWorkers().length === 0) process.exit();
}

interface FromPrimary {
  /** The settings that the primary process read from its environment. */
  readonly settings: NodeJS.ProcessEnv;
  /** The worker's index, from 0. */
  readonly index: number;
}

/** In a worker: waits for the first message of the primary process. */
async function fromPrimary(): Promise<FromPrimary> {
  const [message] = await once(process, 'message');
  return message as FromPrimary;
}

/** In a worker: tells the primary process that it is serving. */
const tellPrimary = (greeting: string) => void process.send?.(greeting);

const { settings, index } = cluster.isWorker
  ? await fromPrimary()
  : { settings: await withFreePort(takeSettings()), index: 0 };
const load = () => loadConfig(settings);
const workers = cluster.isWorker ? 1 : workersIn(load);

if (workers > 1) {
  runWorkers(workers, settings);
} else {
  // React reads this when it is loaded. Its development mode takes twice as long.
  process.env['NODE_ENV'] = 'production';
  const { productionBuild } = await import('./pages/pages.ts');
  const { runServer } = await import('./start.ts');
  await runServer(load, productionBuild, cluster.isWorker ? { announce: tellPrimary, index } : {});
}
