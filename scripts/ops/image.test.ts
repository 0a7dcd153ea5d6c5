import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { ROOT, read } from '../docs/markdown.ts';
import { composeFile, containerfileStages, inImage, manifestsIn, variablesIn } from './files.ts';

const { PORT = '', DATA_DIR = '' } = variablesIn(inImage('ENV').flatMap((text) => text.split(' ')));
const [deployment] = manifestsIn('ops/kubernetes/deployment.yaml');
const [service] = manifestsIn('ops/kubernetes/service.yaml');
const pod = deployment?.['spec'].template.spec;
const [container] = pod.containers;
const compose = composeFile();

test('the image takes its base from an argument, and contains no build tools', () => {
  const [before = [], ...stages] = containerfileStages();
  const bases = stages.map(([from]) => from?.value.split(' ')[0]);
  const args = before.map(({ name, value }) => `${name} ${value.split('=')[0]}`);
  expect(args).toEqual(['ARG BUILD_BASE', 'ARG BASE']);
  expect(bases).toEqual(['$BUILD_BASE', 'sources', 'sources', '$BASE']);
  expect(inImage('RUN')).toEqual(['install -d -m 700 -o 10001 -g 10001 /data']);
});

test('Docker excludes the same files from a build as podman', () => {
  expect(read('ops/Containerfile.dockerignore')).toBe(read('.containerignore'));
  const [everything, ...allowed] = read('.containerignore').split('\n').slice(1, -1);
  expect(everything).toBe('*');
  const tests = ['**/*.test.ts', '**/*.test.tsx', '**/testing'];
  expect(allowed.filter((line) => !line.startsWith('!'))).toEqual(tests);
  // No exception that names ops/ (settings, password), data/, or .git.
  expect(allowed.filter((line) => /^!(\*|\.git|ops|data)\b/.test(line))).toEqual([]);
});

test('the build of the image has every file that its command and the configuration name', () => {
  const allowed = read('.containerignore').match(/(?<=^!).*$/gm) ?? [];
  const command: string = JSON.parse(read('package.json')).scripts.build;
  const started = command.match(/scripts\/[\w.-]+/g) ?? [];
  const sources = ['vite.config.ts', 'react-router.config.ts', ...started];
  const named = sources.flatMap((file) => {
    const targets = read(file).match(/(?<=(?:from|import\() ?')\.{1,2}\/[^']+(?=')/g) ?? [];
    return [file, ...targets.map((target) => path.join(path.dirname(file), target))];
  });
  expect(named).toEqual(expect.arrayContaining(['scripts/build.ts', 'scripts/script-groups.ts']));
  const isThere = (file: string) =>
    allowed.some((each) => path.matchesGlob(file, `{${each},${each}/**}`));
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

test('the image runs the server as the same ordinary user as Kubernetes', () => {
  const [user = ''] = inImage('USER');
  expect(user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  const { runAsUser, runAsGroup, runAsNonRoot } = pod.securityContext;
  expect([`${runAsUser}:${runAsGroup}`, runAsNonRoot]).toEqual([user, true]);
  const [command = ''] = inImage('CMD');
  for (const script of JSON.parse(command)) expect(existsSync(path.join(ROOT, script))).toBe(true);
});

test('every file that the server reads outside its folder is in the image', () => {
  const exclude = ['**/*.test.ts', '**/testing/**'];
  const sources = globSync('server/**/*.ts', { cwd: ROOT, exclude });
  const files = sources.flatMap((file) => {
    const targets =
      read(file).match(/(?<=import\.meta\.dirname, ')(?:\.\.\/)+[\w./-]+(?=')/g) ?? [];
    return targets.map((target) => path.join(path.dirname(file), target));
  });
  const outside = files.filter((target) => !target.startsWith('server/'));
  expect(outside).toEqual(expect.arrayContaining(['SECURITY.md', 'build']));
  const copied = inImage('COPY').map((value) => value.split(' ').at(-2)?.replace('/curbside/', ''));
  expect(copied).toEqual(expect.arrayContaining(outside));
});

test('the port is the same everywhere', () => {
  expect(inImage('EXPOSE')).toEqual([PORT]);
  expect(container.ports[0]).toEqual({ name: 'http', containerPort: Number(PORT) });
  expect(service?.['spec'].ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  const servers = `curbside-1:${PORT} curbside-2:${PORT}`;
  expect(compose.services['caddy']?.environment['CURBSIDE_SERVERS']).toBe(servers);
});

test('only DATA_DIR and /tmp are writable', () => {
  expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(mounts).toEqual([DATA_DIR, '/tmp']);
  expect(compose.services['curbside-1']).toMatchObject({
    ...{ read_only: true, tmpfs: ['/tmp'], volumes: [`data:${DATA_DIR}`], ulimits: { core: 0 } },
    ...{ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
  });
});

test('every probe requests an existing route', async () => {
  await using server = await buildTestApp();
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const probes = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet);
  expect(probes.map(({ port }) => port)).toEqual(['http', 'http', 'http']);
  const [check = ''] = inImage('HEALTHCHECK');
  const inCheck = /process\.env\.PORT\}(\/\w+)/.exec(check)?.[1] ?? '';
  const inCaddy = /health_uri (\S+)/.exec(read('ops/Caddyfile'))?.[1] ?? '';
  for (const url of [...probes.map((probe) => probe.path), inCheck, inCaddy]) {
    expect([url, server.app.hasRoute({ method: 'GET', url })]).toEqual([url, true]);
  }
});

test("compose: only Caddy is reachable, and the server trusts only Caddy's network to name visitors", () => {
  const { services, networks } = compose;
  const open = Object.values(services).flatMap(({ ports = [] }) => ports as string[]);
  // Prometheus only on the machine itself.
  expect(open).toEqual(['127.0.0.1:9090:9090', '80:80', '443:443', '443:443/udp']);
  const onWeb = Object.entries(services).filter(([, { networks: all }]) => all.includes('web'));
  expect(onWeb.map(([name]) => name)).toEqual(['curbside-1', 'curbside-2', 'caddy']);
  expect(services['caddy']?.networks).toEqual(['web']);
  expect(services['postgres']?.networks).toEqual(['database']);
  expect(networks['database']).toEqual({ internal: true });
  const [range] = networks['web']?.ipam?.config ?? [];
  expect(services['curbside-1']?.environment['TRUST_PROXY']).toBe(range?.subnet);
});

test('no file names an image registry', () => {
  const images = [
    ...Object.values(compose.services).map(({ image }) => image.replace(/^\$\{\w+:-(.+)\}$/, '$1')),
    ...(containerfileStages()[0] ?? []).map(({ value }) => value.replace(/^\w+=/, '')),
    container.image,
  ];
  expect(images).toHaveLength(9);
  // A host name would have a dot or a port before the first slash.
  for (const image of images) expect(image).toMatch(/^[a-z]+(\/[a-z]+)?(:[\w.-]+)?$/);
});

test('Caddy logs no visitor', () => {
  const caddyfile = read('ops/Caddyfile');
  // The only log block configures the default logger.
  expect(caddyfile.match(/^\s*log\b.*$/gm)).toEqual(['\tlog {']);
  expect(caddyfile).toContain('exclude http.log.error http.handlers.reverse_proxy');
});
