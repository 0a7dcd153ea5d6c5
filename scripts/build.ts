/** Builds the pages, unless the existing build was made from exactly the same files. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = path.resolve(import.meta.dirname, '..');
const STAMP = path.join(ROOT, 'build/.from');
const SOURCES = [
  'scripts/{build,script-groups}.ts',
  'web/**',
  'contract/**',
  'public/**',
  '*.config.ts',
  'package-lock.json',
];
const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest)$/;

interface RouteMap {
  routes: Record<string, { imports: string[] }>;
}

/** Also in package.json. Older npm skips optional packages, such as the bundler's binaries. */
const OLDEST_NODE = '20.19';
const [, npmNode] = / node\/v(\d+\.\d+)/.exec(process.env['npm_config_user_agent'] ?? '') ?? [];
if (npmNode?.localeCompare(OLDEST_NODE, 'en', { numeric: true }) === -1) {
  console.error(
    `npm runs on Node ${npmNode}: install ${OLDEST_NODE} or newer, and run npm ci again`,
  );
  process.exit(1);
}

const stamp = fingerprint();
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) process.exit(0);

console.log('Building the pages…');
const built = spawnSync(
  process.execPath,
  [path.join(ROOT, 'node_modules/@react-router/dev/bin.cjs'), 'build', '--logLevel', 'warn'],
  {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...buildEnvironment(), NODE_ENV: 'production' },
  },
);
if (built.status !== 0) process.exit(1);
shortenRouteMap(path.join(ROOT, 'build/client/assets'));
compress(path.join(ROOT, 'build/client'));
writeFileSync(STAMP, stamp);

/** The build's environment, without the server's keys that `npm start` may have in its own. */
function buildEnvironment(): NodeJS.ProcessEnv {
  const needed = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_OPTIONS'];
  return Object.fromEntries(needed.map((name) => [name, process.env[name]]));
}

/** A hash of the names and contents of all files that the build reads. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const full = path.join(ROOT, file);
    if (statSync(full).isFile()) hash.update(file).update('\0').update(readFileSync(full));
  }
  return hash.digest('hex');
}

/**
 * Removes each route's list of scripts from the map that every page loads. Only the server needs
 * these, to preload the scripts of the page it renders, and it has its own map.
 */
function shortenRouteMap(assets: string) {
  const [file, ...others] = globSync('manifest-*.js', { cwd: assets });
  if (!file || others.length > 0) throw new Error('expected one route map');
  const full = path.join(assets, file);
  const [, start, json] =
    /^(window\.__reactRouterManifest=)(\{.*\});$/.exec(readFileSync(full, 'utf8')) ?? [];
  if (!json) throw new Error('the route map looks different');
  const map: RouteMap = JSON.parse(json);
  for (const route of Object.values(map.routes)) route.imports = [];
  writeFileSync(full, `${start}${JSON.stringify(map)};`);
}

/** Compresses files once, instead of on every request. */
function compress(folder: string) {
  for (const file of globSync('**/*', { cwd: folder })) {
    const full = path.join(folder, file);
    if (!COMPRESSIBLE.test(file)) continue;
    const content = readFileSync(full);
    writeFileSync(`${full}.gz`, gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${full}.br`, brotliCompressSync(content, { params }));
  }
}
