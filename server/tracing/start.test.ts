import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { diag } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { startTracing } from './start.ts';

/** A collector that stores what it receives. */
async function collector(status = 200) {
  const received: { url: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ url: request.url, body: await text(request) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Loads a page and a list on a server that traces this share of requests. */
async function load(endpoint: string, ratio: number): Promise<string[]> {
  const lines: string[] = [];
  const traces = { endpoint, ratio };
  const stop = startTracing(traces, { warn: (line: unknown) => lines.push(String(line)) } as never);
  await using server = await buildTestApp({ config: { traces }, pageSource: pagesOf() });
  await server.app.inject('/employers?search=canary');
  await server.app.inject('/api/reviews/');
  await server.app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email: 'canary' },
  });
  await stop();
  return lines;
}

interface Received {
  resourceSpans: {
    resource: { attributes: unknown[] };
    scopeSpans: { spans: { name: string; parentSpanId?: string; spanId: string }[] }[];
  }[];
}

type Requests = Awaited<ReturnType<typeof collector>>['received'];
const batchesIn = (received: Requests) =>
  received.flatMap(({ body }) => (JSON.parse(body) as Received).resourceSpans);
const spansIn = (received: Requests) =>
  batchesIn(received).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

test('sends traces of public requests with their parts, and nothing about the machine', async () => {
  const { endpoint, received } = await collector();
  expect(await load(`${endpoint}/`, 1)).toEqual([]);
  expect(new Set(received.map(({ url }) => url))).toEqual(new Set(['/v1/traces']));
  const bodies = received.map(({ body }) => body).join();
  for (const word of ['canary', 'login', hostname(), String(process.pid)]) {
    expect(bodies).not.toContain(`"${word}"`);
  }
  const { resource } = batchesIn(received)[0] ?? {};
  expect(resource?.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'curbside' } },
  ]);
  const spans = spansIn(received);
  const parentOf = (name: string) => {
    const id = spans.find((span) => span.name === name)?.parentSpanId;
    return spans.find(({ spanId }) => spanId === id)?.name;
  };
  expect(parentOf('render')).toBe('GET /employers');
  expect(parentOf('GET /api/employers/')).toBe('render');
  expect(parentOf('database')).toBe('GET /api/employers/');
  expect(parentOf('GET /api/reviews/')).toBeUndefined();
});

test('concurrent pages keep their own traces', async () => {
  const { endpoint, received } = await collector();
  const traces = { endpoint, ratio: 1 };
  const stop = startTracing(traces, { warn: () => {} });
  await using server = await buildTestApp({ config: { traces }, pageSource: pagesOf() });
  const pages = ['/', '/employers', '/reviews', '/compare', '/guidelines', '/transparency'];
  await Promise.all(pages.map((page) => server.app.inject(page)));
  await stop();
  const spans = spansIn(received);
  const renders = spans.filter(({ name }) => name === 'render');
  const parents = renders.map(
    ({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId)?.name,
  );
  expect(parents.toSorted()).toEqual(pages.map((page) => `GET ${page}`).toSorted());
});

test('a ratio of 0 traces nothing', async () => {
  const { endpoint, received } = await collector();
  await load(endpoint, 0);
  expect(received).toEqual([]);
});

test('errors are reported once a minute, without their text', async () => {
  const lines: unknown[] = [];
  const { endpoint } = await collector();
  const stop = startTracing({ endpoint, ratio: 1 }, {
    warn: (line: unknown) => lines.push(line),
  } as never);
  for (let n = 0; n < 3; n += 1) diag.error('canary');
  await stop();
  expect(lines).toEqual(['traces cannot be sent: check OTEL_EXPORTER_OTLP_ENDPOINT']);
});

test('a collector that rejects traces is reported in one line, and affects nothing else', async () => {
  const { endpoint } = await collector(400);
  expect(await load(endpoint, 1)).toEqual([
    'traces cannot be sent: check OTEL_EXPORTER_OTLP_ENDPOINT',
  ]);
  expect(await load('http://127.0.0.1:1', 1)).toEqual([
    'traces cannot be sent: check OTEL_EXPORTER_OTLP_ENDPOINT',
  ]);
});
