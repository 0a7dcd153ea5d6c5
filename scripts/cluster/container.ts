import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REQUIRED } from '#server/config/settings.ts';
import { BASE, BUILD_BASE, makeBases, npmAccess } from './base-images.ts';
import { ContainerServer } from './container-server.ts';
import { Podman } from './podman.ts';
import { startPrimary } from './postgres.ts';
import { newSite } from './server.ts';
import { type Row, row, secondsSince } from './table.ts';
import { updateBehindCaddy } from './update-behind-caddy.ts';

const IMAGE = 'localhost/curbside';
const MOST_MB = 500;
const LONGEST_START_S = 30;

/**
 * Builds the image on base images made here, and runs it: without settings, as a server on a
 * read-only file system, and as two servers behind Caddy that are updated one at a time. Needs
 * root. Removes everything it made.
 */
export async function container(port: number): Promise<Row[]> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-container-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const podman = new Podman(folder);
  // Its layers stay mounted until they are removed.
  undo.defer(async () => void (await podman.run('system', 'reset', '--force')));
  const rows = await build(podman, folder);

  const bare = await podman.start('--rm', IMAGE);
  const missing = bare.errors.match(/^curbside: \w+: must be set/gm)?.length;
  const isBare = missing === REQUIRED.length && bare.code === 1;
  const what = 'missing settings that the container reports, and its exit code';
  rows.push(row(what, `${missing}, ${bare.code}`, `${REQUIRED.length}, 1`, isBare));

  const primary = undo.use(await startPrimary(port));
  primary.psql('create database curbside');
  const settings = path.join(folder, 'curbside.env');
  await writeFile(settings, productionSettings(primary.url()), { mode: 0o600 });
  const servers = [port + 1, port + 2].map((each) => new ContainerServer(podman, each, settings));
  for (const server of servers) {
    const began = performance.now();
    await server.start(IMAGE);
    const took = secondsSince(began);
    const first = server === servers[0] ? ', with an empty database' : '';
    const ready = `ready after ${took.toFixed(1)} s`;
    const target = `${LONGEST_START_S} s`;
    rows.push(row(`start of a container${first}`, ready, target, took <= LONGEST_START_S));
  }
  rows.push(...((await servers[0]?.check()) ?? []));
  rows.push(...(await updateBehindCaddy(folder, port + 3, servers, primary)));
  return rows;
}

/** An environment file without quotes, as podman reads it. */
function productionSettings(databaseUrl: string): string {
  const { NPI_REGISTRY_URL, RATE_LIMIT_FACTOR, DRAIN_SECONDS, ...site } = newSite(databaseUrl);
  const settings = { ...site, PUBLIC_URL: 'https://curbside.example' };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function build(podman: Podman, folder: string): Promise<Row[]> {
  await makeBases(podman, folder);
  const began = performance.now();
  const bases = [`--build-arg=BASE=${BASE}`, `--build-arg=BUILD_BASE=${BUILD_BASE}`];
  await podman.build(
    ...bases,
    ...npmAccess(folder),
    '--file=ops/Containerfile',
    `--tag=${IMAGE}`,
    '.',
  );
  const built = `${secondsSince(began).toFixed(0)} s`;
  const sizes = await podman.run('image', 'inspect', '--format={{.Size}}', IMAGE, BASE);
  const [size = 0, base] = sizes.split('\n').map((bytes) => Math.round(Number(bytes) / 1e6));
  const parts = `${size} MB, including ${base} MB for the base`;
  return [
    row('build of the image, with npm ci', built, 'none', true),
    row('size of the image', parts, `${MOST_MB} MB`, size <= MOST_MB),
  ];
}
