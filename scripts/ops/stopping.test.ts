import { expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { PRODUCTION } from '#server/config/testing/production.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { read } from '../docs/markdown.ts';
import { composeFile, durationMs, inUnit, manifestsIn } from './files.ts';

/** The longest that a server takes to stop: it drains, finishes requests, and then jobs. */
const { drainMs } = loadConfig(PRODUCTION);
const STOP_MS = drainMs + TIME_OUTS.requestsStop.ms + TIME_OUTS.jobsStop.ms;

const [deployment] = manifestsIn('ops/kubernetes/deployment.yaml');
const pod = deployment?.['spec'].template.spec;
const caddy = (directive: string) =>
  new RegExp(`^\\s*${directive} (\\S+)$`, 'm').exec(read('ops/Caddyfile'))?.[1] ?? '';

test('every service manager waits until a server has stopped by itself', () => {
  const { 'curbside-1': first, 'curbside-2': second } = composeFile().services;
  expect(durationMs(first?.stop_grace_period ?? '')).toBeGreaterThan(STOP_MS);
  expect(second).toEqual(first);
  const [stop = ''] = inUnit('ops/systemd/curbside-server@.service', 'TimeoutStopSec');
  expect(durationMs(stop)).toBeGreaterThan(STOP_MS);
  const sleepMs = pod.containers[0].lifecycle.preStop.sleep.seconds * 1000;
  expect(sleepMs).toBeGreaterThan(0);
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(sleepMs + STOP_MS);
});

test('balancers notice a stopping server before it closes', () => {
  expect(caddy('health_uri')).toBe('/readyz');
  const noticedMs = durationMs(caddy('health_interval')) + durationMs(caddy('health_timeout'));
  expect(noticedMs).toBeLessThan(drainMs);
  const { periodSeconds, failureThreshold, httpGet } = pod.containers[0].readinessProbe;
  expect(httpGet.path).toBe('/readyz');
  expect(periodSeconds * failureThreshold * 1000).toBeLessThan(drainMs);
});

test('Caddy closes an idle connection before the server does', () => {
  expect(durationMs(caddy('keepalive'))).toBeLessThan(TIME_OUTS.keepAlive.ms);
});
