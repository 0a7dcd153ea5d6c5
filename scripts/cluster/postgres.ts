import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A PostgreSQL server from Debian's package, with its own data folder and port. */
export interface Cluster extends AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  url(database?: string): string;
  psql(statement: string, database?: string): string;
  /** Kills it, like a power failure. */
  stop(): void;
  start(): void;
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 400
shared_buffers = 256MB
wal_level = replica
hot_standby = on
`;
const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. Debian's package has created a user for it. */
export const ownerCommand = (program: string, ...given: string[]): [string, ...string[]] =>
  isRoot ? ['runuser', '-u', 'postgres', '--', program, ...given] : [program, ...given];

export function asOwner(program: string, ...given: string[]): string {
  const [command, ...all] = ownerCommand(program, ...given);
  return execFileSync(command, all, { encoding: 'utf8', cwd: '/', stdio: 'pipe' });
}

/** The binaries of the newest PostgreSQL that is installed. */
export function binaries(): string {
  const root = '/usr/lib/postgresql';
  const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return path.join(root, newest ?? '', 'bin');
}

/** Runs a statement and returns the rows as psql prints them. */
export const psql = (url: string, statement: string): string =>
  execFileSync(path.join(binaries(), 'psql'), ['-qAtX', '-c', statement, url], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

/** A folder that PostgreSQL's user can write to. */
export async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `curbside-cluster-${name}-`));
  if (isRoot) {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
    chownSync(folder, id('-u'), id('-g'));
  }
  return folder;
}

/** Creates and starts a primary. */
export const startPrimary = (port: number, settings = ''): Promise<Cluster> =>
  startCluster('primary', port, SETTINGS + settings, 'initdb', [
    ...['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
  ]);

/** Creates and starts a standby that streams from a primary. */
export const startStandby = (primary: Cluster, port: number, settings = ''): Promise<Cluster> =>
  startCluster('standby', port, settings, 'pg_basebackup', [
    ...['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres', '-R', '-c', 'fast'],
  ]);

async function startCluster(
  name: string,
  port: number,
  settings: string,
  maker: string,
  options: readonly string[],
): Promise<Cluster> {
  const folder = await newFolder(name);
  const data = `${folder}/data`;
  const run = (program: string, ...given: string[]) =>
    asOwner(path.join(binaries(), program), '-D', data, ...given);
  run(maker, ...options);
  await appendFile(`${data}/postgresql.conf`, settings);
  const start = () =>
    void run('pg_ctl', '-l', `${folder}/log`, '-w', '-o', `-p ${port} -k ${folder}`, 'start');
  const stop = () => void run('pg_ctl', '-m', 'immediate', 'stop');
  start();
  const url = (database = 'curbside') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    port,
    folder,
    url,
    psql: (statement, database = 'postgres') => psql(url(database), statement),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      if (existsSync(`${data}/postmaster.pid`)) stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
