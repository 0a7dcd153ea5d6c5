import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Podman } from './podman.ts';

/** The oldest Debian that the image should run on. */
const SUITE = 'bookworm';

/** Keeps Node's dependencies, without documentation and translations. */
const SMALL = [
  '--include=libstdc++6',
  ...['doc', 'man', 'locale'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
];

export const BASE = 'localhost/base';
export const BUILD_BASE = 'localhost/build-base';

const BUILD_FILE = `FROM ${BASE}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm`;

/**
 * Makes the two base images of `ops/Containerfile` from Debian packages and this machine's Node and
 * npm, so that no image registry is needed.
 */
export async function makeBases(podman: Podman, folder: string): Promise<void> {
  const archive = path.join(folder, 'base.tar');
  execFileSync('mmdebstrap', ['--quiet', '--variant=essential', ...SMALL, SUITE, archive]);
  await podman.run('import', '--quiet', archive, BASE);

  const context = path.join(folder, 'build-base');
  mkdirSync(context);
  copyFileSync(process.execPath, path.join(context, 'node'));
  const npmCli = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const npmFolder = path.resolve(realpathSync(npmCli), '../..');
  cpSync(npmFolder, path.join(context, 'npm'), { recursive: true });
  writeFileSync(path.join(context, 'Containerfile'), BUILD_FILE);
  await podman.build('--tag', BUILD_BASE, context);
}

/**
 * Gives npm in the build this machine's access to the registry: its settings as a secret, which
 * stays out of the image, and its certificates and cache as mounts.
 */
export function npmAccess(folder: string): string[] {
  const set = (name: string) => {
    const value = npm('config', 'get', name);
    return value === 'null' ? undefined : value;
  };
  const cafile = set('cafile') ?? process.env['NODE_EXTRA_CA_CERTS'];
  const settings = ['registry', 'proxy', 'https-proxy'].map((name) => [name, set(name)]);
  const lines = [...settings, ['cafile', cafile]]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}\n`);
  const file = path.join(folder, 'npmrc');
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return [
    `--secret=id=npmrc,src=${file}`,
    `--volume=${npm('config', 'get', 'cache')}:/root/.npm`,
    ...(cafile ? [`--volume=${cafile}:${cafile}:ro`] : []),
  ];
}

const npm = (...args: string[]) =>
  execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
