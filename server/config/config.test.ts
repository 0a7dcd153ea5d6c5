import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig, takeSettings, withFreePort } from '#server/config/config.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
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

const weak = (fill: (at: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => fill(at))).toString('base64');
const same = key();

describe('the embedded default serves loopback only', () => {
  test.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '0'],
    ['HOST', '192.168.1.20'],
    ['HOST', 'demo.hospital.example'],
    ['HOST', '::ffff:10.0.0.1'],
    ['HOST', '127.0.0.1.example.org'],
    ['PUBLIC_URL', 'https://demo.hospital.example'],
    ['PUBLIC_URL', 'http://[::ffff:8.8.8.8]'],
    ['PUBLIC_URL', 'http://localhost.example.org'],
  ])('rejects %s=%s in one line that says what to do', (name, value) => {
    const lines = errors({ DATA_DIR, [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: .*DEMO_ON_NETWORK=yes`));
    expect(errors({ DATA_DIR, [name]: value, DEMO_ON_NETWORK: 'yes' })).toEqual([]);
  });

  test.each([
    ['HOST', 'localhost'],
    ['HOST', '127.0.0.1'],
    ['HOST', '127.1'],
    ['HOST', '127.8.8.8'],
    ['HOST', '::1'],
    ['HOST', '::ffff:127.0.0.1'],
    ['PUBLIC_URL', 'http://localhost:8080'],
    ['PUBLIC_URL', 'http://curbside.localhost'],
    ['PUBLIC_URL', 'http://[::1]:3000/'],
    ['PUBLIC_URL', 'https://127.0.0.2'],
  ])('%s=%s starts', (name, value) => {
    expect(errors({ DATA_DIR, [name]: value })).toEqual([]);
  });

  test('keeps /dev/ on its own port with DEMO_ON_NETWORK=yes', () => {
    const config = loadConfig({ DATA_DIR, HOST: '0.0.0.0', DEMO_ON_NETWORK: 'yes', PORT: '8080' });
    expect(config).toMatchObject({
      devPort: 8081,
      npiRegistryUrl: 'http://localhost:8081/dev/registry',
    });
    expect(loadConfig({ DATA_DIR }).devPort).toBeNull();
    const onNetwork = { DATA_DIR, DEMO_ON_NETWORK: 'yes' };
    expect(loadConfig({ ...onNetwork, DEV_PORT: '9000' }).devPort).toBe(9000);
    const taken = 'DEV_PORT: must differ from PORT (3000)';
    expect(errors({ ...onNetwork, DEV_PORT: '3000' })).toEqual([taken]);
    const unset = 'DEV_PORT: must be set with PORT=0: the default is the next port';
    expect(errors({ ...onNetwork, PORT: '0' })).toEqual([unset]);
  });

  test('rejects DEMO_ON_NETWORK=yes in production', () => {
    const fault = 'DEMO_ON_NETWORK: is for the embedded default only: remove it';
    expect(errors({ ...PRODUCTION, DEMO_ON_NETWORK: 'yes' })).toEqual([fault]);
  });
});

test('the metrics have their own port', () => {
  const asServer = 'METRICS_PORT: must differ from PORT (8080)';
  expect(errors({ DATA_DIR, PORT: '8080', METRICS_PORT: '8080' })).toEqual([asServer]);
  const onNetwork = { DATA_DIR, DEMO_ON_NETWORK: 'yes' };
  const asDev = 'METRICS_PORT: must differ from DEV_PORT (3001)';
  expect(errors({ ...onNetwork, METRICS_PORT: '3001' })).toEqual([asDev]);
  const inRange = 'METRICS_PORT: must differ from PORT (8080): WORKERS=3 takes 8078 to 8080';
  expect(errors({ DATA_DIR, PORT: '8080', METRICS_PORT: '8078', WORKERS: '3' })).toEqual([inRange]);
  expect(errors({ DATA_DIR, PORT: '8080', METRICS_PORT: '8077', WORKERS: '3' })).toEqual([]);
  const tooHigh = 'METRICS_PORT: must be at most 65534: WORKERS=2 takes 65535 to 65536';
  expect(errors({ DATA_DIR, METRICS_PORT: '65535', WORKERS: '2' })).toEqual([tooHigh]);
  expect(errors({ DATA_DIR, METRICS_PORT: '0' })).toHaveLength(1);
  expect(errors({ DATA_DIR, METRICS_PORT: '3001' })).toEqual([]);
  expect(loadConfig({ DATA_DIR })).toMatchObject({ metricsPort: null, metricsHost: '127.0.0.1' });
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:password@collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?token=secret'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
  ['OTEL_TRACES_SAMPLER_ARG', 'all'],
])('rejects %s=%s', (name, value) => {
  const lines = errors({ DATA_DIR, [name]: value });
  expect(lines).toEqual([expect.stringMatching(`^${name}: must `)]);
  expect(lines[0]).not.toMatch(/password|secret/);
});

describe('production rejects', () => {
  test.each([
    ['keys that are all zero', { SESSION_KEY: weak(() => 0) }, 'SESSION_KEY'],
    ['a key of one repeated byte', { INDEX_KEY: weak(() => 0x61) }, 'INDEX_KEY'],
    ['a key of few different bytes', { AUTHORSHIP_KEY: weak((at) => at % 8) }, 'AUTHORSHIP_KEY'],
    ['a key that counts', { SEALING_KEYS: `k1:${weak((at) => at + 1)}` }, 'SEALING_KEYS'],
    ['the same key twice in a list', { INDEX_KEY: `${same},${same}` }, 'INDEX_KEY'],
    ['one key for two purposes', { INDEX_KEY: same, SESSION_KEY: same }, 'SESSION_KEY'],
    ['one id for two keys', { SEALING_KEYS: `k1:${key()},k1:${key()}` }, 'SEALING_KEYS'],
    ['a PUBLIC_URL over http', { PUBLIC_URL: 'http://curbside.example' }, 'PUBLIC_URL'],
    ['a PUBLIC_URL over http on loopback', { PUBLIC_URL: 'http://localhost' }, 'PUBLIC_URL'],
    ['a PUBLIC_URL with a path', { PUBLIC_URL: 'https://curbside.example/app' }, 'PUBLIC_URL'],
    ['a PUBLIC_URL with a user', { PUBLIC_URL: 'https://a:b@curbside.example' }, 'PUBLIC_URL'],
    ['a PUBLIC_URL with a query', { PUBLIC_URL: 'https://curbside.example/?a=1' }, 'PUBLIC_URL'],
    ['a registry over http', { NPI_REGISTRY_URL: 'http://registry.example/' }, 'NPI_REGISTRY_URL'],
    ['TRUST_PROXY=true', { TRUST_PROXY: 'true' }, 'TRUST_PROXY'],
    ['every IPv4 address as a proxy', { TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY'],
    ['every IPv6 address as a proxy', { TRUST_PROXY: '10.0.0.1, ::/0' }, 'TRUST_PROXY'],
    ['half the Internet as a proxy', { TRUST_PROXY: '128.0.0.0/1' }, 'TRUST_PROXY'],
    ['mapped IPv4 as a proxy', { TRUST_PROXY: '::ffff:0.0.0.0/96' }, 'TRUST_PROXY'],
    ['a proxy by its name', { TRUST_PROXY: 'proxy.example' }, 'TRUST_PROXY'],
    ['a number of proxies', { TRUST_PROXY: '1' }, 'TRUST_PROXY'],
    ['no rate limits', { RATE_LIMIT_FACTOR: '1e9' }, 'RATE_LIMIT_FACTOR'],
    ['almost zero rate limits', { RATE_LIMIT_FACTOR: '0.01' }, 'RATE_LIMIT_FACTOR'],
    ['an unencrypted database connection', { DATABASE_URL: 'postgres://c@db/c' }, 'DATABASE_URL'],
    ['a database host as a parameter', { DATABASE_URL: 'postgres:///c?host=db' }, 'DATABASE_URL'],
    ['SMTP options', { SMTP_URL: 'smtp://mail?requireTLS=false' }, 'SMTP_URL'],
    ['disabled certificate checks', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT'],
  ])('%s', (_what, env: NodeJS.ProcessEnv, name) => {
    const lines = errors({ ...PRODUCTION, ...env });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}[A-Z_]*: .+`));
    for (const value of Object.values(env)) {
      // Keys must not end up in a log.
      if (String(value).length > 40) expect(lines[0]).not.toContain(value);
    }
  });

  test('rejects TRUST_PROXY=true on a demo open to the network, and accepts it on loopback', () => {
    const demo = { DATA_DIR, TRUST_PROXY: 'true' };
    expect(errors(demo)).toEqual([]);
    const fault = 'TRUST_PROXY: must list your proxies as addresses or CIDR ranges';
    expect(errors({ ...demo, DEMO_ON_NETWORK: 'yes' })).toEqual([fault]);
  });

  test('reports four identical all-zero keys with a line for each repeated or weak key', () => {
    const zeros = weak(() => 0);
    const lines = errors({
      ...PRODUCTION,
      SEALING_KEYS: `k1:${zeros}`,
      INDEX_KEY: zeros,
      AUTHORSHIP_KEY: zeros,
      SESSION_KEY: zeros,
    });
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'SEALING_KEYS',
      'INDEX_KEY',
      'AUTHORSHIP_KEY',
      'SESSION_KEY',
      'INDEX_KEY',
      'AUTHORSHIP_KEY',
      'SESSION_KEY',
    ]);
  });
});

test.each([
  { TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,fd00::/8' },
  { TRUST_PROXY: 'loopback,uniquelocal' },
  { TRUST_PROXY: 'false' },
  { RATE_LIMIT_FACTOR: '10' },
  { DATABASE_URL: 'postgres://curbside@10.0.0.5/curbside?sslmode=disable' },
  { DATABASE_URL: 'postgres://curbside@127.0.0.1/curbside' },
  { DATABASE_URL: 'postgres:///curbside?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgres://curbside@%2Fvar%2Frun%2Fpostgresql/curbside' },
  { NPI_REGISTRY_URL: 'https://registry.example/api/' },
  { INDEX_KEY: `${key()},${key()}` },
])('production starts with %o', (env) => {
  expect(errors({ ...PRODUCTION, ...env })).toEqual([]);
});

test('allows production without TLS only on loopback', () => {
  const trial = { ...PRODUCTION, NODE_ENV: 'development', RATE_LIMIT_FACTOR: '1000' };
  const local = { PUBLIC_URL: 'http://localhost:3000', NPI_REGISTRY_URL: 'http://127.0.0.1:9/' };
  expect(errors({ ...trial, ...local })).toEqual([]);
  expect(errors({ ...trial, PUBLIC_URL: 'http://curbside.example' })).toHaveLength(1);
  expect(errors({ ...trial, NPI_REGISTRY_URL: 'http://registry.example' })).toHaveLength(1);
});

test('hashes passwords cheaply in tests only', () => {
  const cheap = { DATA_DIR, CHEAP_PASSWORDS: 'yes' };
  for (const env of [cheap, { ...PRODUCTION, CHEAP_PASSWORDS: 'yes' }]) {
    expect(errors(env)).toEqual([
      'CHEAP_PASSWORDS: makes stolen passwords easy to guess; it is for NODE_ENV=test only',
    ]);
  }
  const { passwordCost } = loadConfig({ ...cheap, NODE_ENV: 'test' });
  expect(passwordCost.memoryCost).toBeLessThan(loadConfig({ DATA_DIR }).passwordCost.memoryCost);
});
