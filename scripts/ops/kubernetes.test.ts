import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TIME_OUTS } from '#server/time-outs.ts';
import { ROOT } from '../docs/markdown.ts';
import { manifestsIn } from './files.ts';

const objects = globSync('ops/kubernetes/*.yaml', { cwd: ROOT }).sort().flatMap(manifestsIn);
const ofKind = (wanted: string) => objects.find(({ kind }) => kind === wanted)?.['spec'];
const LABELS = { 'app.kubernetes.io/name': 'curbside' };
const deployment = ofKind('Deployment');
const pod = deployment.template.spec;

test('each object uses a stable API and is named after curbside', () => {
  const named = objects.map(
    ({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`,
  );
  expect(named).toEqual([
    'v1 PersistentVolumeClaim curbside-backups',
    ...['batch/v1 CronJob curbside-inventory', 'batch/v1 CronJob curbside-backup'],
    ...['v1 ConfigMap curbside', 'apps/v1 Deployment curbside'],
    'networking.k8s.io/v1 NetworkPolicy curbside',
    ...['policy/v1 PodDisruptionBudget curbside', 'v1 Service curbside'],
  ]);
});

test('the selectors find the pods', () => {
  expect(deployment.template.metadata.labels).toEqual(LABELS);
  expect(deployment.selector).toEqual({ matchLabels: LABELS });
  expect(ofKind('PodDisruptionBudget').selector).toEqual({ matchLabels: LABELS });
  expect(ofKind('Service').selector).toEqual(LABELS);
  const [{ topologyKey, labelSelector }] = pod.topologySpreadConstraints;
  expect(topologyKey).toBe('kubernetes.io/hostname');
  expect(labelSelector).toEqual({ matchLabels: LABELS });
});

test('a server always remains, during updates and when a node is drained', () => {
  expect(deployment.replicas).toBeGreaterThan(1);
  expect(deployment.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(ofKind('PodDisruptionBudget').maxUnavailable).toBe(1);
});

test('a container has minimal privileges', () => {
  expect(pod.automountServiceAccountToken).toBe(false);
  const seccompProfile = { type: 'RuntimeDefault' };
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile });
  const [container, ...others] = pod.containers;
  expect(others).toEqual([]);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const { emptyDir } of pod.volumes) expect(emptyDir.medium).toBe('Memory');
});

test('memory is bounded, and neither a slow start nor a lost database kills a container', () => {
  const [{ resources, startupProbe, livenessProbe }] = pod.containers;
  expect(resources.limits).toEqual({ memory: '1Gi' });
  expect(resources.requests).toEqual({ cpu: '500m', memory: '512Mi' });
  expect(livenessProbe.httpGet.path).toBe('/healthz');
  expect(startupProbe.httpGet.path).toBe('/healthz');
  // On start, the server waits for the database, and then migrates it.
  const { periodSeconds, failureThreshold } = startupProbe;
  expect(periodSeconds * failureThreshold * 1000).toBeGreaterThan(2 * TIME_OUTS.databaseStart.ms);
});
