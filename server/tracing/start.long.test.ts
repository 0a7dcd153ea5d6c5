import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { diag } from '@opentelemetry/api';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { TOPICS } from '#server/db/topics.ts';
import { listen } from '#server/testing/listen.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { expect, invalid, type Site, testWith } from '#server/testing/site.ts';
import { startTracing } from './start.ts';

// The server only needs to know that there are traces. Each test has its own collector.
const test = testWith({
  config: { traces: { endpoint: 'http://127.0.0.1:1', ratio: 1 } },
  pageSource: pagesOf(),
}).extend('forget', { auto: true }, ({ site }) => site.deps.cache.changed(TOPICS));

/** A collector that stores what it receives. */
async function collector(status = 200) {
  const received: { url: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ url: request.url, body: await text(request) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  return { endpoint: `http://127.0.0.1:${await listen(server)}`, received };
}

/** Loads a page and a list while this share of requests is traced. */
async function load(site: Site, endpoint: string, ratio: number): Promise<string[]> {
  const lines: string[] = [];
  const log = { warn: (line: unknown) => lines.push(String(line)) };
  const stop = startTracing({ endpoint, ratio }, log as never);
  await site.app.inject('/employers?search=canary');
  await site.visitor().get(reviewEndpoints.list);
  await site.visitor().post(sessionEndpoints.login, invalid({ email: 'canary' }));
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

test('sends traces of public requests, and nothing about the machine', async ({ site }) => {
  const { endpoint, received } = await collector();
  expect(await load(site, `${endpoint}/`, 1)).toEqual([]);
  expect(new Set(received.map(({ url }) => url))).toEqual(new Set(['/v1/traces']));
  const bodies = received.map(({ body }) => body).join();
  for (const word of ['canary', 'login', hostname(), String(process.pid)]) {
    expect(bodies).not.toContain(`"${word}"`);
  }
  const { resource } = batchesIn(received)[0] ?? {};
  const service = { key: 'service.name', value: { stringValue: 'curbside' } };
  expect(resource?.attributes).toEqual([service]);
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

test('concurrent pages keep their own traces', async ({ site }) => {
  const { endpoint, received } = await collector();
  const stop = startTracing({ endpoint, ratio: 1 }, { warn: () => {} });
  const pages = ['/', '/employers', '/reviews', '/compare', '/guidelines', '/transparency'];
  await Promise.all(pages.map((page) => site.app.inject(page)));
  await stop();
  const spans = spansIn(received);
  const renders = spans.filter(({ name }) => name === 'render');
  const parents = renders.map(
    ({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId)?.name,
  );
  expect(parents.toSorted()).toEqual(pages.map((page) => `GET ${page}`).toSorted());
});

test('a ratio of 0 traces nothing', async ({ site }) => {
  const { endpoint, received } = await collector();
  await load(site, endpoint, 0);
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

test('reports a rejecting collector in one line, and goes on', async ({ site }) => {
  const { endpoint } = await collector(400);
  for (const bad of [endpoint, 'http://127.0.0.1:1']) {
    const fault = 'traces cannot be sent: check OTEL_EXPORTER_OTLP_ENDPOINT';
    expect(await load(site, bad, 1)).toEqual([fault]);
  }
});
