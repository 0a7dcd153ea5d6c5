import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from '../docs/markdown.ts';

const START_WAIT_MS = 120_000;

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly process: ChildProcess;
  /** Warnings and errors that it has logged. */
  readonly lines: readonly string[];
}

const key = () => randomBytes(32).toString('base64');

/** The settings that all servers of a site share. */
export const newSite = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  PUBLIC_URL: 'http://localhost:3000',
  SMTP_URL: 'smtp://127.0.0.1:1',
  NPI_REGISTRY_URL: 'http://127.0.0.1:1/',
  SEALING_KEYS: `k1:${key()}`,
  INDEX_KEY: key(),
  AUTHORSHIP_KEY: key(),
  SESSION_KEY: key(),
  RATE_LIMIT_FACTOR: '1000000',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'warn',
});

/** Starts a server process, and waits until it is ready. `onLine` gets each line that it logs. */
export async function startServer(
  settings: Record<string, string>,
  onLine: (line: string) => void = () => {},
): Promise<Server> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
  });
  const lines: string[] = [];
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), START_WAIT_MS);
    child.once('exit', () => reject(new Error(`a server exited: ${lines.join('\n')}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      onLine(line);
      const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (!port) return;
      clearTimeout(late);
      resolve(`http://127.0.0.1:${port}`);
    });
  });
  return { url, process: child, lines, [Symbol.asyncDispose]: stop };
}

/** Runs `curbside` with these settings. Returns what it prints. */
export async function curbside(settings: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env['PATH'], ...settings };
  const command = ['server/cli/main.ts', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
  return stdout;
}
