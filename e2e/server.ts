import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { freePort } from '#server/testing/free-port.ts';

export const ROOT = path.resolve(import.meta.dirname, '..');
const NODE = path.join(ROOT, 'node_modules/.bin/node');
/** Shorter than the time-out of the fixture that starts it. */
const START_WAIT_MS = 80_000;

export interface TestMail {
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** A running Curbside: the production build on the embedded database, as a separate process. */
export interface TestServer {
  readonly url: string;
  /** The origin of `/dev/`. */
  readonly devUrl: string;
  /** The startup message. */
  readonly greeting: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** The emails to an address, newest first. */
  mailTo(address: string): Promise<TestMail[]>;
  /** Stops it the way Ctrl-C does, and deletes its data. */
  stop(): Promise<void>;
}

export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'curbside-e2e-'));
  // When started by root, the database runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** Names the folder that the data folders of most servers are copied from (global-setup.ts). */
export const PREPARED = 'CURBSIDE_PREPARED_DATA';

/** A new data folder like that of a server after its first start, at a quarter of the time. */
export async function preparedDataDir(): Promise<string> {
  const prepared = process.env[PREPARED];
  if (!prepared) throw new Error('Playwright has not prepared a data folder');
  const dataDir = await makeDataDir();
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
  return dataDir;
}

/** Starts the server on a data folder (by default a new one) and waits until it is ready. */
export async function startServer(
  options: {
    dataDir?: string;
    env?: Record<string, string>;
    command?: string;
    args?: readonly string[];
    waitMs?: number;
  } = {},
): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await makeDataDir());
  const port = await freePort();
  const child = spawn(options.command ?? NODE, options.args ?? ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: '',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      // Many tests sign up and write from one IP address.
      RATE_LIMIT_FACTOR: '1000',
      CHEAP_PASSWORDS: 'yes',
      ...options.env,
    },
  });
  const greeting = await greeted(child, options.waitMs);
  const url = `http://localhost:${port}`;
  const devUrl = new URL(/(\S+)\/dev\/mail/.exec(greeting)?.[1] ?? url).origin;
  return {
    url,
    devUrl,
    greeting,
    dataDir,
    process: child,
    async mailTo(address) {
      const to = encodeURIComponent(address);
      const answer = await fetch(`${devUrl}/dev/mail/messages?to=${to}`);
      if (!answer.ok) throw new Error(`/dev/mail answered ${answer.status}`);
      return (await answer.json()) as TestMail[];
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves with the startup message, or says what the server printed instead. */
async function greeted(
  child: ChildProcessByStdio<null, Readable, Readable>,
  waitMs = START_WAIT_MS,
): Promise<string> {
  const closed = once(child, 'close');
  const deadline = setTimeout(() => child.kill('SIGKILL'), waitMs);
  const errors: string[] = [];
  let hasStarted = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  try {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      hasStarted = line.includes('Stop with Ctrl-C');
      if (hasStarted) return lines.join('\n');
    }
    const [code, signal] = await closed;
    const printed = [...lines, errors.join('')].join('\n');
    throw new Error(
      `the server exited (${signal ?? code}) before its startup message:\n${printed}`,
    );
  } finally {
    clearTimeout(deadline);
    // Shows its errors among the test results. Unread output would fill the pipe.
    if (hasStarted && errors.length > 0) process.stderr.write(errors.join(''));
    child.stdout.pipe(process.stderr, { end: false });
    child.stderr.removeAllListeners('data').pipe(process.stderr, { end: false });
  }
}

/** Runs a command on the server's data, as an administrator does. */
export async function curbside(
  server: TestServer,
  command: readonly string[],
  input = '',
): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: server.dataDir };
  const running = promisify(execFile)(process.execPath, ['server/cli/main.ts', ...command], {
    cwd: ROOT,
    env: { ...env, PUBLIC_URL: server.url },
  });
  running.child.stdin?.end(input);
  await running;
}
