import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { REQUIRED, Settings } from '#server/config/settings.ts';
import { errors, PRODUCTION } from '#server/config/testing/production.ts';
import { read } from '../docs/markdown.ts';
import { composeFile, inImage, inUnit, manifestsIn, variablesIn } from './files.ts';

const EXAMPLE = variablesIn(read('ops/curbside.env.example').split('\n'));
const IMAGE = variablesIn(inImage('ENV').flatMap((value) => value.split(' ')));
/** What systemd sets for the server on a port. */
const unitFor = (port: string) => {
  const units = ['curbside-.service.d/common.conf', 'curbside-server@.service'];
  const lines = units.flatMap((unit) => inUnit(`ops/systemd/${unit}`, 'Environment'));
  return variablesIn(lines.map((line) => line.replace('%i', port)));
};
const [deployment] = manifestsIn('ops/kubernetes/deployment.yaml');
const [configMap] = manifestsIn('ops/kubernetes/config.yaml');
const { env, envFrom } = deployment?.['spec'].template.spec.containers[0] ?? {};
const COMPOSE = composeFile().services['curbside-1'];

/** What each way of running a server sets, including empty settings for the operator to fill in. */
const WAYS = {
  compose: { ...IMAGE, ...EXAMPLE, ...COMPOSE?.environment },
  // The file takes precedence (systemd.exec).
  systemd: { ...unitFor('3001'), ...EXAMPLE },
  Kubernetes: {
    ...IMAGE,
    ...configMap?.['data'],
    ...Object.fromEntries(env.map(({ name }: { name: string }) => [name, ''])),
  },
};

test.each(Object.entries(WAYS))('%s sets existing settings, and every required one', (_, set) => {
  expect(Object.keys(Settings.shape)).toEqual(expect.arrayContaining(Object.keys(set)));
  expect(Object.keys(set)).toEqual(expect.arrayContaining([...REQUIRED]));
});

test.each(Object.entries(WAYS))('%s starts once its empty settings are filled in', (_, set) => {
  const given = (name: string) => PRODUCTION[name as keyof typeof PRODUCTION];
  const filled = Object.entries({ ...set }).map(([name, value]) => [name, value || given(name)]);
  expect(errors(Object.fromEntries(filled))).toEqual([]);
  const missing = REQUIRED.filter((name) => Reflect.get(set, name) === '');
  expect(missing.length).toBeGreaterThan(5);
  const faults = missing.map((name) => expect.stringContaining(`${name}: must be set`));
  expect(errors(set)).toEqual(faults);
});

test('two systemd services listen on four ports, and trust only a proxy on the same machine', () => {
  const servers = ['3001', '3002'].map(unitFor);
  const ports = servers.flatMap(({ PORT, METRICS_PORT }) => [PORT, METRICS_PORT]);
  expect(new Set(ports).size).toBe(4);
  const { scrape_configs } = parse(read('ops/prometheus/prometheus.yaml'));
  const targets = servers.map(({ METRICS_PORT }) => `127.0.0.1:${METRICS_PORT}`);
  expect(scrape_configs[0].static_configs[0].targets).toEqual(targets);
  for (const { HOST, TRUST_PROXY } of servers) {
    expect([HOST, TRUST_PROXY]).toEqual(['127.0.0.1', 'loopback']);
  }
});

test('no file contains a secret: Kubernetes takes them from one Secret, compose from two files', () => {
  const secrets = Object.keys(PRODUCTION).filter((name) => /_KEYS?$|_URL$/.test(name));
  for (const { name, value, valueFrom } of env) {
    const secretKeyRef = { name: 'curbside', key: name };
    expect([value, valueFrom]).toEqual([undefined, { secretKeyRef }]);
  }
  expect(envFrom).toEqual([{ configMapRef: { name: configMap?.metadata.name } }]);
  const open = Object.keys(configMap?.['data']).filter((name) => secrets.includes(name));
  expect(open).toEqual(['PUBLIC_URL']);
  expect(COMPOSE?.env_file).toBe('curbside.env');
  const { postgres } = composeFile().services;
  expect(postgres?.environment).not.toHaveProperty('POSTGRES_PASSWORD');
  expect(composeFile().secrets).toEqual({ 'postgres-password': { file: './postgres-password' } });
  // Neither file can be committed by accident.
  for (const file of ['ops/curbside.env', 'ops/postgres-password']) {
    expect(read('.gitignore').split('\n')).toContain(`/${file}`);
  }
});
