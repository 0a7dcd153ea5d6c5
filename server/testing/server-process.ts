import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { inject, onTestFinished } from 'vitest';
import type { Db } from '#server/db/open.ts';

const key = () => randomBytes(32).toString('base64');

/** The keys that all servers of a test share. */
const KEYS = {
  SEALING_KEYS: `k1:${key()}`,
  INDEX_KEY: key(),
  AUTHORSHIP_KEY: key(),
  SESSION_KEY: key(),
};

/** Starts a server on a test database. It listens on a free port, and ends with the test. */
export const spawnServer = async (db: Db, env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> =>
  spawnWith({
    ...KEYS,
    DATABASE_URL: await urlOf(db),
    PUBLIC_URL: 'http://localhost',
    SMTP_URL: 'smtp://127.0.0.1:1',
    RATE_LIMIT_FACTOR: '1000000',
    ...env,
  });

/** Starts a server on the embedded PostgreSQL. */
export const spawnEmbedded = (dataDir: string): ChildProcess => spawnWith({ DATA_DIR: dataDir });

function spawnWith(env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'serve.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'silent', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Waits until the server listens. Returns its URL. */
export const listening = (child: ChildProcess) => printed(child, /listening on (http:\S+)/);

/** Waits until the server prints a line. Returns the first group of the pattern. */
export async function printed({ stdout, stderr }: ChildProcess, line: RegExp): Promise<string> {
  if (!stdout || !stderr) throw new Error('no output');
  const errors = text(stderr);
  for await (const each of createInterface({ input: stdout })) {
    const [, found] = line.exec(each) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`the server has ended: ${await errors}`);
}

/** Stops a server like its service manager. Returns its exit code. */
export async function terminate(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}

/** The URL of a test database, through a proxy on `proxyPort` if one is given. */
export async function urlOf(db: Db, proxyPort?: number): Promise<string> {
  const { name } = await db
    .selectNoFrom(sql<string>`current_database()`.as('name'))
    .executeTakeFirstOrThrow();
  const { user = '', password = '', ...direct } = inject('testServer').connection;
  const { host = '', port } = proxyPort ? { host: '127.0.0.1', port: proxyPort } : direct;
  const [login, place] = [[user, password], [host]].map((parts) =>
    parts.map((part) => encodeURIComponent(part)).join(':'),
  );
  return `postgres://${login}@${place}:${port}/${name}`;
}
