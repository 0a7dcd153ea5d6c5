import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT, read } from '../docs/markdown.ts';
import { inUnit } from './files.ts';

const UNITS = path.join(ROOT, 'ops/systemd');
const COMMON = 'ops/systemd/curbside-.service.d/common.conf';
const SERVICES = ['server@', 'backup', 'inventory'].map((name) => `curbside-${name}.service`);
const TIMERS = ['curbside-backup.timer', 'curbside-inventory.timer'];
/** Out of 100; a service without any of the options has 96 (systemd-analyze(1)). */
const MOST_EXPOSURE = 12;

/** Directives whose lines add to earlier ones. */
const LISTS = ['Environment', 'StateDirectory'];
const directivesIn = (unit: string) => read(unit).match(/^\w+(?==)/gm) ?? [];

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const analyze = (...args: string[]) => {
  // In the locale C, it marks lines with other characters.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8', env });
  return { status, output: `${stdout}${stderr}` };
};

test('every service runs as an ordinary user that can write only its own folders', () => {
  const only = (directive: string) => inUnit(COMMON, directive);
  expect(read('ops/systemd/curbside.sysusers.conf')).toContain(`u ${only('User')} -`);
  expect(only('ProtectSystem')).toEqual(['strict']);
  expect(only('StateDirectoryMode')).toEqual(['0700']);
  expect(only('Environment')).toContain(`DATA_DIR=/var/lib/${only('StateDirectory')}`);
  for (const yes of ['NoNewPrivileges', 'PrivateTmp', 'PrivateDevices', 'ProtectHome']) {
    expect([yes, only(yes)]).toEqual([yes, ['yes']]);
  }
  expect(only('LimitCORE')).toEqual(['0']);
  expect(only('CapabilityBoundingSet')).toEqual(['']);
  expect(only('SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources']);
});

test('secrets come from a file that root owns, not from a unit', () => {
  expect(inUnit(COMMON, 'EnvironmentFile')).toEqual(['/etc/curbside/curbside.env']);
  for (const name of SERVICES) expect(read(`ops/systemd/${name}`)).not.toMatch(/_KEYS?=|_URL=/);
});

test('no service overrides a shared directive', () => {
  const shared = directivesIn(COMMON).filter((name) => !LISTS.includes(name));
  expect(shared.length).toBeGreaterThan(25);
  for (const name of SERVICES) {
    const own = directivesIn(`ops/systemd/${name}`);
    expect(own.filter((directive) => shared.includes(directive))).toEqual([]);
  }
});

test('a command runs as a named unit, and its arguments stay out of the system log', () => {
  const command = read('ops/systemd/curbside');
  expect(command).toContain('--unit="curbside-command-$$"');
  expect(command).toMatch(/--description='[^'$]+'/);
});

test.skipIf(existsSync('/etc/curbside/curbside.env'))('one line says what is missing', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['ops/systemd/curbside', 'check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const isRoot = process.getuid?.() === 0;
  const settings = 'the settings file /etc/curbside/curbside.env is missing';
  const line = isRoot ? `${settings}: see docs/operations.md, step 4` : 'run it as root';
  expect([status, stdout, stderr]).toEqual([1, '', `curbside: ${line}\n`]);
});

describe.skipIf(!hasSystemd)('systemd', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'curbside-units-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const folder = path.join(root, 'etc/systemd/system');
  // Files that the units refer to, as on a machine where they are installed.
  for (const file of ['bin/sh', 'usr/bin/find', 'opt/curbside/node_modules/node/bin/node']) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '', { mode: 0o755 });
  }
  cpSync(UNITS, folder, { recursive: true });
  for (const target of ['sysinit', 'basic', 'shutdown', 'timers', 'multi-user', 'network-online']) {
    writeFileSync(path.join(folder, `${target}.target`), `[Unit]\nDescription=${target}\n`);
  }

  test.each([...SERVICES, ...TIMERS])('finds no errors in %s', (name) => {
    const unit = `/etc/systemd/system/${name}`;
    const found = analyze('verify', '--man=no', `--root=${root}`, unit);
    expect(found).toEqual({ status: 0, output: '' });
  });

  test.each(SERVICES)('rates the exposure of %s as low', (name) => {
    const options = ['--offline=true', '--no-pager', `--threshold=${MOST_EXPOSURE}`];
    const { status, output } = analyze('security', ...options, path.join(UNITS, name));
    expect(output).toContain('Overall exposure level');
    const exposed = output.split('\n').filter((line) => line.startsWith('✗'));
    expect([status, exposed.length]).toEqual([0, 7]);
  });
});
