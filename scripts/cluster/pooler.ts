import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, newFolder, ownerCommand, startPrimary } from './postgres.ts';
import type { Row } from './table.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Of everything that a request reaches. */
const TESTS = ['features', 'cache', 'cases', 'legal-demands', 'listing', 'rate-limits'].map(
  (folder) => `server/${folder}/`,
);

/** Runs the API tests with all requests through PgBouncer in transaction mode. */
export async function pooler(port: number): Promise<Row[]> {
  await using primary = await startPrimary(port);
  await using bouncer = await startBouncer(primary, port + 1);
  const began = performance.now();
  const { status, stdout } = spawnSync('node_modules/.bin/vitest', ['run', ...TESTS], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: primary.url('postgres'),
      POOLER_URL: bouncer.url,
      FORCE_COLOR: '0',
    },
  });
  const passed = /Tests\s+(.*)/.exec(stdout)?.[1] ?? 'none';
  if (status !== 0) console.log(stdout);
  return [
    {
      what: `API tests through PgBouncer ${bouncer.version}, transaction mode, unnamed statements`,
      measured: `${passed}, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
      target: 'all pass',
      isMet: status === 0,
    },
  ];
}

interface Bouncer extends AsyncDisposable {
  readonly url: string;
  readonly version: string;
}

/** As docs/operations.md says. */
const SESSION_SETTINGS = [
  'random_page_cost = 1.1',
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  'synchronous_commit = off',
  'statement_timeout = 15000',
  'lock_timeout = 10000',
  'idle_in_transaction_session_timeout = 15000',
].map((setting) => `set ${setting}`);

async function startBouncer(primary: Cluster, port: number): Promise<Bouncer> {
  const folder = await newFolder('bouncer');
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${primary.port} user=postgres connect_query='${SESSION_SETTINGS.join('; ')}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 10
server_idle_timeout = 5
ignore_startup_parameters = options, extra_float_digits
`,
  );
  const [program = '', ...given] = ownerCommand('pgbouncer', '-q', file);
  const child = spawn(program, given, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
  await listening(port, child);
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    version: /PgBouncer (\S+)/.exec(stdout)?.[1] ?? '',
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a process takes connections. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    if (await isOpen(port)) return;
    await pause(50);
  }
  throw new Error(`a process has ended with ${child.exitCode}`);
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
