import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OperatorError } from '#server/errors/operator-error.ts';
import { withFreePort } from '#server/free-port.ts';
import { loadConfig, takeSettings } from './config.ts';
import { errors, key, PRODUCTION } from './testing/production.ts';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'curbside-config-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

test('uses the embedded default if nothing is set', () => {
  const config = loadConfig({ DATA_DIR });
  expect(config).toMatchObject({
    embedded: true,
    production: false,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    npiRegistryUrl: 'http://localhost:3000/dev/registry',
    verification: 'registry',
    rateLimitFactor: 1,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('the embedded default is refused on a machine with the settings of a service, and creates nothing', () => {
  const dataDir = path.join(DATA_DIR, 'none');
  const settings = path.join(DATA_DIR, 'curbside.env');
  writeFileSync(settings, '');
  expect(() => loadConfig({ DATA_DIR: dataDir }, settings)).toThrow(
    /curbside\.env: run `curbside check`/,
  );
  expect(existsSync(dataDir)).toBe(false);
  expect(loadConfig(PRODUCTION, settings).embedded).toBe(false);
});

test('the embedded default generates its secrets once, readable only by their owner', () => {
  const first = loadConfig({ DATA_DIR }).secrets;
  expect(loadConfig({ DATA_DIR }).secrets).toEqual(first);
  expect(statSync(path.join(DATA_DIR, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test("revokes other users' access to the secrets", () => {
  const file = path.join(DATA_DIR, 'secrets.json');
  loadConfig({ DATA_DIR });
  chmodSync(file, 0o644);
  loadConfig({ DATA_DIR });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a DATA_DIR that is a file, or lies below one, ends in one line', () => {
  const file = path.join(DATA_DIR, 'a-file');
  writeFileSync(file, '');
  for (const dataDir of [file, path.join(file, 'below')]) {
    expect(() => loadConfig({ DATA_DIR: dataDir })).toThrow(
      new OperatorError(
        `The data folder ${dataDir} is, or lies below, a file: move that file away, or set DATA_DIR to another folder.`,
      ),
    );
  }
});

test('PORT=0 becomes a free port, which the address of the site names', async () => {
  const settings = await withFreePort({ DATA_DIR, PORT: '0' });
  const { port, publicUrl, npiRegistryUrl } = loadConfig(settings);
  expect(port).toBeGreaterThan(0);
  expect(publicUrl).toBe(`http://localhost:${port}`);
  expect(npiRegistryUrl).toBe(`http://localhost:${port}/dev/registry`);
  const named = { DATA_DIR, PORT: '0', PUBLIC_URL: 'https://curbside.example' };
  expect(await withFreePort(named)).toEqual(named);
  const nowhere = { DATA_DIR, PORT: '0', HOST: '192.0.2.1' };
  expect(await withFreePort(nowhere)).toEqual(nowhere);
});

test('treats an empty variable as unset', () => {
  expect(loadConfig({ DATA_DIR, DATABASE_URL: '', PORT: '' }).embedded).toBe(true);
});

describe('rejects an invalid value with one line that names it', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'curbside.example'],
    ['DATABASE_URL', 'mysql://x'],
    ['SMTP_URL', 'http://mail'],
    ['VERIFICATION', 'maybe'],
    ['RATE_LIMIT_FACTOR', '0'],
    ['LOG_LEVEL', 'loud'],
    ['INDEX_KEY', 'c2hvcnQ='],
    ['SEALING_KEYS', 'k1'],
    ['NODE_ENV', 'staging'],
    ['DEMO_ON_NETWORK', 'true'],
    ['DEV_PORT', '0'],
    ['SECURITY_CONTACT', 'security@curbside.example'],
  ])('%s=%s', (name, value) => {
    const lines = errors({ DATA_DIR, [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: .+`));
  });
});

test('lists older keys after the current one', () => {
  const [index, authorship] = [
    [key(), key()],
    [key(), key()],
  ];
  const { secrets } = loadConfig({
    ...PRODUCTION,
    INDEX_KEY: index.join(','),
    AUTHORSHIP_KEY: authorship.join(', '),
  });
  expect(secrets.index.map((one) => one.toString('base64'))).toEqual(index);
  expect(secrets.authorship.map((one) => one.toString('base64'))).toEqual(authorship);
  const fault = 'INDEX_KEY: must be KEY[,OLD KEY…], each 32 bytes in base64';
  expect(errors({ ...PRODUCTION, INDEX_KEY: `${key()},c2hvcnQ=` })).toEqual([fault]);
});

test('production lists every missing setting, one line each', () => {
  expect(errors({ NODE_ENV: 'production', DATA_DIR })).toEqual(
    [
      'DATABASE_URL',
      'SMTP_URL',
      'PUBLIC_URL',
      'SEALING_KEYS',
      'INDEX_KEY',
      'AUTHORSHIP_KEY',
      'SESSION_KEY',
    ].map((name) => `${name}: must be set in production`),
  );
});

test('production has no demo accounts and no /dev/', () => {
  const config = loadConfig(PRODUCTION);
  expect(config).toMatchObject({ production: true, embedded: false });
  expect(config.npiRegistryUrl).toBe('https://npiregistry.cms.hhs.gov/api/');
});

test('requires a proof on a production server unless set otherwise', () => {
  const { NODE_ENV: _, ...withoutNodeEnv } = PRODUCTION;
  expect(loadConfig(PRODUCTION).verification).toBe('proof');
  expect(loadConfig(withoutNodeEnv).verification).toBe('proof');
  for (const VERIFICATION of ['proof', 'registry', 'manual']) {
    expect(loadConfig({ ...PRODUCTION, VERIFICATION }).verification).toBe(VERIFICATION);
  }
});

test('counts as a production server with its own database, for any NODE_ENV', () => {
  const fault = 'SMTP_URL: must be set with DATABASE_URL';
  expect(errors({ DATA_DIR, DATABASE_URL: PRODUCTION.DATABASE_URL })).toContain(fault);
});

test('reports all errors together', () => {
  const lines = errors({
    ...PRODUCTION,
    PORT: 'http',
    SMTP_URL: '',
    PUBLIC_URL: 'http://curbside.example',
    TRUST_PROXY: 'true',
  });
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'SMTP_URL',
    'PUBLIC_URL',
    'TRUST_PROXY',
  ]);
});

test('rejects three of the four keys, because they would be ignored', () => {
  const { SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY } = PRODUCTION;
  const fault = 'SESSION_KEY: must be set too, or none of the four keys';
  expect(errors({ DATA_DIR, SEALING_KEYS, INDEX_KEY, AUTHORSHIP_KEY })).toEqual([fault]);
});

test('removes secrets from the environment that child processes inherit', () => {
  for (const name of ['SEALING_KEYS', 'DATABASE_URL', 'SMTP_URL', 'DATA_DIR']) {
    vi.stubEnv(name, `canary of ${name}`);
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(takeSettings()).toMatchObject({ SMTP_URL: 'canary of SMTP_URL' });
  const inherited = execFileSync('env', { encoding: 'utf8' });
  expect(inherited).toContain('DATA_DIR=canary');
  expect(inherited).not.toMatch(/SEALING_KEYS|DATABASE_URL|SMTP_URL/);
});
