import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../docs/markdown.ts';
import { type Cluster, newFolder, ownerCommand, psql, startPrimary } from './postgres.ts';
import { curbside, newSite } from './server.ts';
import { type Row, row, secondsSince } from './table.ts';

/** A PgBouncer that is newer than Debian's. */
const PGBOUNCER = process.env['PGBOUNCER'] ?? 'pgbouncer';
/** It supports prepared statements from this version on. */
const KEEPS_STATEMENTS = '1.21';

/** Tests of everything that a request reaches. */
const TESTS = ['features', 'cache', 'cases', 'legal-demands', 'listing', 'rate-limits'].map(
  (folder) => `server/${folder}/`,
);

/** As in the setting `DATABASE_STATEMENTS`. */
type Statements = 'named' | 'unnamed';

/**
 * Runs the API tests with all requests through PgBouncer in transaction mode: with unnamed
 * statements and, if this version supports them, with prepared ones.
 */
export async function pooler(port: number): Promise<Row[]> {
  const { stdout } = spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
  const version = /PgBouncer (\S+)/.exec(stdout)?.[1] ?? '';
  const rows = [await checkFinds(port), await apiTests(port, version, 'unnamed')];
  if (version.localeCompare(KEEPS_STATEMENTS, 'en', { numeric: true }) >= 0)
    return [...rows, await apiTests(port, version, 'named')];
  const named = `the same with prepared statements, by PgBouncer ${KEEPS_STATEMENTS} or later`;
  return [...rows, row(named, `not found: this is ${version}`, 'all pass', null)];
}

/** What `curbside check` says about a pooler without the settings of docs/operations.md. */
async function checkFinds(port: number): Promise<Row> {
  await using primary = await startPrimary(port);
  await using bouncer = await startBouncer(primary, port + 1, 'unnamed', '');
  const { NPI_REGISTRY_URL, ...site } = newSite(bouncer.url);
  const settings = {
    ...site,
    PUBLIC_URL: 'https://curbside.example',
    DATABASE_DIRECT_URL: primary.url('postgres'),
  };
  const printed = await curbside(settings, 'check').catch(({ stdout }) => String(stdout));
  const failures = printed.match(/^fail +database +the pooler .*$/gm) ?? [];
  const what = 'faults of a pooler without settings that `curbside check` finds';
  return row(what, failures.length, 2);
}

async function apiTests(port: number, version: string, statements: Statements): Promise<Row> {
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
  if (status !== 0) console.log(stdout);
  const passed = /Tests\s+(.*)/.exec(stdout)?.[1] ?? 'none';
  const took = secondsSince(began).toFixed(0);
  const what = `API tests through PgBouncer ${version}, transaction mode, ${statements} statements`;
  return row(what, `${passed}, in ${took} s`, 'all pass', status === 0);
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
  statements: Statements,
  onConnect = SESSION_SETTINGS.join('; '),
) {
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
  const [program, ...given] = ownerCommand(PGBOUNCER, '-q', file);
  const child = spawn(program, given, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!answers(url)) {
    if (child.exitCode !== null) throw new Error(`PgBouncer exited with ${child.exitCode}`);
    await pause(50);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(url: string): boolean {
  try {
    return psql(url, 'select 1') === '1';
  } catch {
    return false;
  }
}
