import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { binaries, newFolder, ownerCommand, psql } from './postgres.ts';

/** Two PostgreSQL servers under Patroni, one of them a synchronous standby, behind HAProxy. */
export interface Patroni extends AsyncDisposable {
  /** Connects to the current primary. */
  readonly url: string;
  /** Runs a query on the primary. */
  ask(statement: string): string;
  /** Kills the primary's processes, like a power failure. */
  killPrimary(): Promise<void>;
}

interface Node {
  readonly name: string;
  readonly postgres: number;
  readonly rest: number;
}

const START_WAIT_MS = 90_000;

/** Uses ten ports, starting at `port`. */
export async function startPatroni(port: number): Promise<Patroni> {
  const folder = await newFolder('patroni');
  const nodes: Node[] = [
    { name: 'one', postgres: port + 2, rest: port + 4 },
    { name: 'two', postgres: port + 3, rest: port + 5 },
  ];
  const url = `postgres://postgres@127.0.0.1:${port + 6}/curbside`;
  const stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    run(stack, ...etcd(folder, port));
    for (const node of nodes) {
      const file = path.join(folder, `${node.name}.yaml`);
      await writeFile(file, patroniConfig(folder, port, node));
      run(stack, ...ownerCommand('patroni', file));
      await until(`${node.name} runs`, async () => /^(primary|replica)$/.test(await roleOf(node)));
    }
    const proxy = path.join(folder, 'haproxy.cfg');
    await writeFile(proxy, proxyConfig(port + 6, nodes));
    run(stack, 'haproxy', '-db', '-f', proxy);
    const primary = urlOf(await primaryOf(nodes));
    psql(primary, 'create database curbside');
    const standbys = "select count(*) from pg_stat_replication where sync_state = 'sync'";
    await until('commits wait for the standby', () => psql(primary, standbys) === '1');
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
  return {
    url,
    ask: (statement) => psql(url, statement),
    async killPrimary() {
      const { postgres } = await primaryOf(nodes);
      const pids = execFileSync('pgrep', ['-f', `postgres.*--port=${postgres}`], {
        encoding: 'utf8',
      });
      for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Runs a program until the stack is disposed. */
function run(stack: AsyncDisposableStack, program: string, ...given: string[]) {
  const child = spawn(program, given, { cwd: '/', stdio: 'ignore' });
  stack.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
}

function etcd(folder: string, port: number): [string, ...string[]] {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${port + 1}`;
  return ownerCommand(
    'etcd',
    ...['--name', 'etcd', '--data-dir', path.join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd=${peer}`],
  );
}

/** A killed primary is not waited for, because the synchronous standby has everything. */
const patroniConfig = (folder: string, etcdPort: number, { name, postgres, rest }: Node) => `
scope: curbside
name: ${name}
restapi: { listen: "127.0.0.1:${rest}", connect_address: "127.0.0.1:${rest}" }
etcd3: { host: "127.0.0.1:${etcdPort}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, shared_buffers: 128MB, wal_log_hints: "on" }
  initdb: [ encoding: UTF8, locale: C.UTF-8 ]
postgresql:
  listen: "127.0.0.1:${postgres}"
  connect_address: "127.0.0.1:${postgres}"
  data_dir: ${path.join(folder, name)}
  bin_dir: ${binaries()}
  pgpass: ${path.join(folder, `${name}.pgpass`)}
  authentication:
    superuser: { username: postgres, password: unused }
    replication: { username: replicator, password: unused }
  pg_hba: [ "local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust" ]
  parameters: { unix_socket_directories: ${folder} }
`;

const proxyConfig = (port: number, nodes: readonly Node[]) => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, postgres, rest }) => `  server ${name} 127.0.0.1:${postgres} check port ${rest}`).join('\n')}
`;

/** Waits until something holds. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + START_WAIT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await pause(200);
  }
}

/** `primary` or `replica`; anything else for a node that does not run yet. */
async function roleOf({ rest }: Node): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${rest}/patroni`);
    const { role, state } = (await answer.json()) as { role: string; state: string };
    return state !== 'running' ? state : role === 'master' ? 'primary' : role;
  } catch {
    return 'away';
  }
}

async function primaryOf(nodes: readonly Node[]): Promise<Node> {
  const roles = await Promise.all(nodes.map(roleOf));
  const primary = nodes[roles.indexOf('primary')];
  if (!primary) throw new Error('no primary');
  return primary;
}

/** Connects to a server's default database, bypassing the proxy. */
const urlOf = ({ postgres }: Node) => `postgres://postgres@127.0.0.1:${postgres}/postgres`;
