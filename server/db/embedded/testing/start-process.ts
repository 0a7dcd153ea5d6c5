import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EmbeddedDatabase } from '../launch.ts';
import type { ServerUser } from '../places.ts';

export interface Started extends Pick<EmbeddedDatabase, 'connection' | 'adopted'> {
  /** The error of a failed start; then there are no other fields. */
  readonly error?: string;
  /** Lets it stop the database and exit. */
  end(): Promise<void>;
  /** Kills it like `kill -9` of its whole group. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly user?: ServerUser | undefined;
  readonly checkout?: string;
}

const EMBEDDED = join(import.meta.dirname, '..');

/** Starts the embedded database from another process, which leads its own process group. */
export async function startProcess(dataDir: string, options: StartOptions = {}): Promise<Started> {
  const child = spawnStart(dataDir, options);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('The process has no pipes');
  const exited = once(child, 'exit');
  const [line] = await once(createInterface(stdout), 'line');
  return {
    ...JSON.parse(line),
    async end() {
      stdin.end();
      await exited;
    },
    async kill() {
      process.kill(-Number(child.pid), 'SIGKILL');
      await exited;
    },
  };
}

export function spawnStart(dataDir: string, options: StartOptions = {}): ChildProcess {
  const script = join(options.checkout ?? EMBEDDED, 'testing', 'start.ts');
  return spawn(process.execPath, [script, dataDir], {
    ...options.user,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
