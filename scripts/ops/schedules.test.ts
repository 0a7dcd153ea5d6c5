import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, read } from '../docs/markdown.ts';
import { composeFile, inUnit, manifestsIn } from './files.ts';

const objects = globSync('ops/kubernetes/*.yaml', { cwd: ROOT }).flatMap(manifestsIn);
const specOf = (kind: string) => objects.find((each) => each.kind === kind)?.['spec'];
const server = specOf('Deployment').template.spec;
const jobs = objects.filter(({ kind }) => kind === 'CronJob');
const CRON = read('ops/compose.cron');
const { services } = composeFile();

const EVERY_TEN_MINUTES = '*/10 * * * *';
/** After the nightly rewrite, and of the same hour everywhere. */
const NIGHTLY = '30 10 * * *';

test('backups and inventories run on the same schedule everywhere', () => {
  const [nightly] = inUnit('ops/systemd/curbside-backup.timer', 'OnCalendar');
  expect(nightly).toBe('*-*-* 10:30:00 UTC');
  expect(inUnit('ops/systemd/curbside-inventory.timer', 'OnCalendar')).toEqual(['*:0/10']);
  expect(jobs.map(({ metadata, spec }) => [metadata.name, spec.schedule, spec.timeZone])).toEqual([
    ['curbside-inventory', EVERY_TEN_MINUTES, 'Etc/UTC'],
    ['curbside-backup', NIGHTLY, 'Etc/UTC'],
  ]);
  const lines = CRON.split('\n').filter((line) => line.includes('server/cli/main.ts'));
  const times = lines.map((line) => line.split(' ').slice(0, 5).join(' '));
  expect(times).toEqual([EVERY_TEN_MINUTES, NIGHTLY]);
  expect(CRON).toContain('\nCRON_TZ=UTC\n');
});

const NIGHTLY_COMMAND =
  jobs[1]?.['spec'].jobTemplate.spec.template.spec.containers[0].command.join();

test('each backup has a name of its own, so that its copy replaces no other', () => {
  const unit = inUnit('ops/systemd/curbside-backup.service', 'ExecStart')
    .join()
    .replaceAll('%%', '%');
  for (const text of [unit, CRON.replaceAll('\\%', '%'), NIGHTLY_COMMAND]) {
    expect(text).toMatch(/ackups\/\$\(date --utc \+%FT%H%M%SZ\)\.backup/);
  }
  expect(read('docs/backups.md')).toContain(
    "--ignore-existing --exclude=inventory --exclude='*.partial'",
  );
});

test('backups older than 30 days are deleted everywhere', () => {
  const texts = [
    inUnit('ops/systemd/curbside-backup.service', 'ExecStartPost').join(),
    CRON,
    NIGHTLY_COMMAND,
  ];
  for (const text of texts) {
    expect(text).toMatch(/-name ["']\*\.backup["'] -mtime \+30 -delete/);
    expect(text).toMatch(/-name ["']\*\.partial["'] -mmin \+600 -delete/);
  }
});

test('a backup of compose writes to the folder that cron cleans, without the web', () => {
  const { backups } = services;
  expect(backups).toMatchObject({ profiles: ['backups'], networks: ['database'], restart: 'no' });
  expect(backups?.['volumes']).toEqual([
    'data:/data',
    expect.stringMatching(/\/var\/lib\/curbside-backups\}:\/backups$/),
  ]);
  const own = services['curbside-1'];
  for (const option of ['image', 'env_file', 'read_only', 'cap_drop', 'security_opt', 'ulimits']) {
    expect(backups?.[option]).toEqual(own?.[option]);
  }
});

test("the jobs of Kubernetes run the server's image with the server's privileges", () => {
  const [{ securityContext, image }] = server.containers;
  for (const { spec } of jobs) {
    expect(spec.concurrencyPolicy).toBe('Forbid');
    const pod = spec.jobTemplate.spec.template.spec;
    expect(pod).toMatchObject({ restartPolicy: 'Never', automountServiceAccountToken: false });
    expect(pod.securityContext).toEqual(server.securityContext);
    expect(pod.containers).toHaveLength(1);
    expect(pod.containers[0]).toMatchObject({ image, securityContext });
    expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe('curbside-backups');
  }
});

test('Prometheus finds the metrics, and nobody else does', () => {
  const { METRICS_PORT } = services['curbside-1']?.environment ?? {};
  const [{ static_configs: scraped }] = parse(read('ops/prometheus/compose.yaml')).scrape_configs;
  const names = ['curbside-1', 'curbside-2'];
  expect(scraped[0].targets).toEqual(names.map((name) => `${name}:${METRICS_PORT}`));
  expect(services['prometheus']?.networks).toEqual(['metrics']);
  expect(read('ops/Caddyfile')).not.toContain(String(METRICS_PORT));

  const port = server.containers[0].ports.find(({ name }: { name: string }) => name === 'metrics');
  const config = objects.find(({ kind }) => kind === 'ConfigMap')?.['data'];
  const { annotations } = specOf('Deployment').template.metadata;
  expect(config.METRICS_PORT).toBe(String(port.containerPort));
  expect(annotations['prometheus.io/port']).toBe(config.METRICS_PORT);
  const [open, closed] = specOf('NetworkPolicy').ingress;
  expect(open).toEqual({ ports: [{ port: 'http' }] });
  expect(closed.ports).toEqual([{ port: 'metrics' }]);
  expect(closed.from).toHaveLength(1);
  expect(specOf('Service').ports.map(({ name }: { name: string }) => name)).toEqual(['http']);
});
