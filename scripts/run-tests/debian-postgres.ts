import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

const isRoot = process.getuid?.() === 0;
const installed = () => globSync('/usr/lib/postgresql/*/bin').sort().at(-1);

/** The folder of Debian's PostgreSQL, which root installs if there is none. */
function findBinaries(): string | undefined {
  if (!installed() && isRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { env });
    spawnSync('apt-get', ['install', '-y', '-qq', 'postgresql'], { env });
  }
  return installed();
}

/** Starts a server of Debian's PostgreSQL on an empty folder. Null if there is none. */
export function startDebianPostgres(): { url: string; stop: () => void } | null {
  const binaries = findBinaries();
  if (!binaries) return null;
  // PostgreSQL does not run as root.
  const owner = isRoot ? 'postgres' : userInfo().username;
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-debian-'));
  chmodSync(folder, 0o755);
  if (isRoot) {
    const idOf = (flag: string) => Number(execFileSync('id', [flag, owner], { encoding: 'utf8' }));
    chownSync(folder, idOf('-u'), idOf('-g'));
  }
  const run = (program: string, ...args: string[]) => {
    const asOwner = isRoot ? ['runuser', '-u', owner, '--'] : [];
    const [command = '', ...rest] = [...asOwner, path.join(binaries, program), ...args];
    execFileSync(command, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const data = path.join(folder, 'data');
  const settings = `-k ${folder} -c listen_addresses= -c max_connections=200`;
  run('initdb', '-D', data, '-U', owner, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  run('pg_ctl', '-D', data, '-l', path.join(folder, 'log'), '-w', '-o', settings, 'start');
  return {
    url: `postgres://${owner}@${encodeURIComponent(folder)}/postgres`,
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
