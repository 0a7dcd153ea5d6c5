import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '..');
const START_TRIES = 300;

const key = () => randomBytes(32).toString('base64');

/** Settings of a production server. No benchmark sends mail or queries the registry. */
export const settingsFor = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'production',
  PORT: '0',
  DRAIN_SECONDS: '0',
  PUBLIC_URL: 'https://curbside.example',
  DATABASE_URL: databaseUrl,
  SMTP_URL: 'smtp://127.0.0.1:1',
  SEALING_KEYS: `bench:${key()}`,
  INDEX_KEY: key(),
  AUTHORSHIP_KEY: key(),
  SESSION_KEY: key(),
  SECURITY_CONTACT: 'mailto:security@curbside.example',
});

export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts a program that says where it listens. Its output goes to a file. */
export async function startServer(
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<BenchServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
  const log = path.join(folder, 'log');
  const out = openSync(log, 'w');
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', out, out],
    env: { PATH: process.env['PATH'], ...settings },
  });
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await rm(folder, { recursive: true });
  };
  for (let tries = 0; tries < START_TRIES && child.exitCode === null; tries += 1) {
    const [, url] = /listening on (http:\S+)/.exec(readFileSync(log, 'utf8')) ?? [];
    if (url) return { url, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
    await pause(100);
  }
  const output = readFileSync(log, 'utf8');
  await stop();
  throw new Error(`the server did not start: ${output}`);
}

/** Ticks of /proc: 100 per second on Linux. */
const TICK_MS = 10;

/** The CPU time that a process has used so far; null without /proc. */
export function cpuMs(pid: number): number | null {
  try {
    // The name in parentheses may contain anything. Fields 12 and 13 after it are the user and
    // system time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
