import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, newFolder, ownerCommand, startPrimary } from './postgres.ts';
import { newSite } from './server.ts';
import type { Row } from './table.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A PgBouncer that is newer than Debian's. */
const PGBOUNCER = process.env['PGBOUNCER'] ?? 'pgbouncer';
const TEXT = { encoding: 'utf8' } as const;

/** Tests of everything that a request reaches. */
const TESTS = ['features', 'cache', 'cases', 'legal-demands', 'listing', 'rate-limits'].map(
  (folder) => `server/${folder}/`,
);

/** It supports prepared statements from this version on. */
const KEEPS_STATEMENTS = [1, 21];

/**
 * Runs the API tests with all requests through PgBouncer in transaction mode: with unnamed
 * statements and, if this version supports them, with prepared ones.
 */
export async function pooler(port: number): Promise<Row[]> {
  const version =
    /PgBouncer (\S+)/.exec(spawnSync(PGBOUNCER, ['--version'], TEXT).stdout)?.[1] ?? '';
  const rows = [await checkFinds(port), await apiTests(port, version, 'unnamed')];
  if (keepsStatements(version)) rows.push(await apiTests(port, version, 'named'));
  else {
    rows.push({
      what: `the same with prepared statements, by PgBouncer ${KEEPS_STATEMENTS.join('.')} or later`,
      measured: `not found: this is ${version}`,
      target: 'all pass',
      isMet: null,
    });
  }
  return rows;
}

function keepsStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = KEEPS_STATEMENTS;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** What `curbside check` says about a pooler without the settings of docs/operations.md. */
async function checkFinds(port: number): Promise<Row> {
  await using primary = await startPrimary(port);
  await using bouncer = await startBouncer(primary, port + 1, 'unnamed', '');
  const { NPI_REGISTRY_URL, ...site } = newSite(bouncer.url);
  const { stdout } = spawnSync(process.execPath, ['server/cli/main.ts', 'check'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      ...site,
      PUBLIC_URL: 'https://curbside.example',
      DATABASE_DIRECT_URL: primary.url('postgres'),
    },
  });
  const failures = stdout.match(/^fail +database +the pooler .*$/gm) ?? [];
  return {
    what: 'faults of a pooler without settings that `curbside check` finds',
    measured: String(failures.length),
    target: '2',
    isMet: failures.length === 2,
  };
}

/** `statements` as in the setting `DATABASE_STATEMENTS`. */
async function apiTests(
  port: number,
  version: string,
  statements: 'named' | 'unnamed',
): Promise<Row> {
  await using primary = await startPrimary(port);
  await using bouncer = await startBouncer(primary, port + 1, statements);
  const began = performance.now();
  const { status, stdout } = spawnSync('node_modules/.bin/vitest', ['run', ...TESTS], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NO_COLOR: '1',
      DATABASE_URL: primary.url('postgres'),
      DATABASE_STATEMENTS: statements,
      POOLER_URL: bouncer.url,
    },
  });
  const passed = /Tests\s+(.*)/.exec(stdout)?.[1] ?? 'none';
  if (status !== 0) console.log(stdout);
  return {
    what: `API tests through PgBouncer ${version}, transaction mode, ${statements} statements`,
    measured: `${passed}, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    target: 'all pass',
    isMet: status === 0,
  };
}

interface Bouncer extends AsyncDisposable {
  readonly url: string;
}

/** As in docs/operations.md, but commits do not wait for the disk: test data need not survive. */
const SESSION_SETTINGS = [
  'random_page_cost = 1.1',
  'work_mem = "16MB"',
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  'synchronous_commit = off',
  'statement_timeout = 15000',
  'lock_timeout = 10000',
  'idle_in_transaction_session_timeout = 15000',
].map((setting) => `set ${setting}`);

async function startBouncer(
  primary: Cluster,
  port: number,
  statements: 'named' | 'unnamed',
  onConnect = SESSION_SETTINGS.join('; '),
): Promise<Bouncer> {
  const folder = await newFolder('bouncer');
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${primary.port} user=postgres${onConnect && ` connect_query='${onConnect}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 10
server_idle_timeout = 5
${statements === 'named' ? 'max_prepared_statements = 400' : ''}
ignore_startup_parameters = options, extra_float_digits
`,
  );
  const [program = '', ...given] = ownerCommand(PGBOUNCER, '-q', file);
  const child = spawn(program, given, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
  await listening(port, child);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a process accepts connections. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    if (await isOpen(port)) return;
    await pause(50);
  }
  throw new Error(`a process exited with ${child.exitCode}`);
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
