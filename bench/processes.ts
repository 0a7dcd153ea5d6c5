import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { settingsFor } from './settings.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const START_TRIES = 300;

export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts the server as in production. Its log goes to a file. */
export async function startCurbside(databaseUrl: string): Promise<BenchServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
  const log = path.join(folder, 'log');
  const out = openSync(log, 'w');
  const options: SpawnOptions = {
    cwd: ROOT,
    stdio: ['ignore', out, out],
    env: { PATH: process.env['PATH'], ...settingsFor(databaseUrl) },
  };
  const child = spawn(process.execPath, ['server/main.ts'], options);
  const server = serverOf(child, () => rm(folder, { recursive: true }));
  for (let tries = 0; tries < START_TRIES && child.exitCode === null; tries += 1) {
    const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (port) return { ...server, url: `http://127.0.0.1:${port}` };
    await pause(100);
  }
  const output = readFileSync(log, 'utf8');
  await server[Symbol.asyncDispose]();
  throw new Error(`the server did not start: ${output}`);
}

/** Starts a script in this folder, which sends its port once it listens. */
export async function startScript(name: string, ...args: string[]): Promise<BenchServer> {
  const child = fork(path.join(import.meta.dirname, name), args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`${name} did not start`);
  return { ...serverOf(child, async () => {}), url: `http://127.0.0.1:${port}` };
}

function serverOf(child: ChildProcess, afterwards: () => Promise<void>) {
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await afterwards();
    },
  };
}

/** Ticks of /proc: 100 per second on Linux. */
const TICK_MS = 10;

/** The CPU time used so far by a process and its children; null without /proc. */
export function cpuMs(pid: number): number | null {
  try {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
    const theirs = started.map((child) => cpuMs(Number(child)) ?? 0);
    // The name in parentheses may contain anything. Fields 12 to 15 after it are the user and
    // system time of the process and of its ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return theirs.reduce((sum, each) => sum + each, ticks * TICK_MS);
  } catch {
    return null;
  }
}
