import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import fastify, { LogController } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '#server/errors/app-error.ts';
import { gracefulClose } from '#server/http/create-app.ts';
import { problemDetails } from '#server/plugins/problem-details.ts';
import { requestId, requestLog } from '#server/plugins/request-log.ts';
import { type CachedResponse, weightOf } from './cached-response.ts';
import { cacheResponses, sendAhead } from './response-cache.ts';
import { TopicCache } from './topic-cache.ts';

const LONG = 'The call rooms are quiet. '.repeat(100);
const DECOMPRESS = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/** A listening server with two routes, whose responses say how many were computed so far. */
async function listening() {
  const lines: Record<string, unknown>[] = [];
  const app = fastify({
    logger: { level: 'info', stream: { write: (line) => lines.push(JSON.parse(line)) } },
    logController: new LogController({ disableRequestLogging: true }),
    ...{ genReqId: requestId, forceCloseConnections: 'idle' },
  });
  gracefulClose(app);
  const answers = new TopicCache<CachedResponse>({ capacity: 1_000_000, weigh: weightOf });
  answers.setListening(true);
  requestLog(app, () => {});
  app.addHook('onRequest', async () => {
    state.heard += 1;
  });
  problemDetails(app);
  cacheResponses(app, answers);
  sendAhead(app, answers, () => {});

  const answer = { text: LONG, status: 200, cacheControl: '', type: '' };
  const state = { heard: 0, made: 0, ...answer, gate: Promise.resolve() };
  const config = { access: 'public', madeFrom: ['reviews'] } as const;
  app.get('/list/', { config }, async (_request, reply) => {
    const made = ++state.made;
    const { text, status, cacheControl, type, gate } = state;
    await gate;
    if (status >= 400) throw new AppError(status < 500 ? 'not_found' : 'unavailable');
    reply.code(status).headers({ 'x-frame-options': 'DENY', 'x-made': made });
    if (cacheControl) reply.header('cache-control', cacheControl);
    if (type) reply.header('content-type', type);
    return { text };
  });
  app.get('/other/', { config: { access: 'public' } }, async (_request, reply) => {
    reply.header('x-made', ++state.made);
    return {};
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.stop(0));
  const answered = () => lines.filter(({ msg }) => msg === 'answered');
  return { app, answers, state, answered, ask: asker(url) };
}

/** Sends a request like a browser, and returns the raw response. */
const asker =
  (url: string) =>
  async (path = '/list/', options: RequestOptions = {}) => {
    const asking = request(new URL(path, url), { agent: false, ...options }).end();
    const [response]: IncomingMessage[] = await once(asking, 'response');
    if (!response) throw new Error('no response');
    const { statusCode: status, headers } = response;
    const { date: _, 'x-request-id': __, ...shared } = headers;
    const made = Number(headers['x-made']);
    return { status, headers, shared, body: await buffer(response), made };
  };
const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } });
const knowing = (etag: unknown, { headers }: RequestOptions = {}) => ({
  headers: { ...headers, 'if-none-match': String(etag) },
});
const KEPT = { 'cache-control': 'public, no-cache', vary: 'accept-encoding' };

test('computes a response once until a topic changes, the same for everyone', async () => {
  const { answers, state, ask } = await listening();
  const first = await ask();
  const second = await ask();
  expect([first.made, second.made]).toEqual([1, 1]);
  expect(state.heard).toBe(1);
  expect(second.body).toEqual(first.body);
  expect(second.shared).toEqual(first.shared);
  const etag = expect.stringMatching(/^"[\w-]{22}"$/);
  expect(first.headers).toMatchObject({ ...KEPT, etag, 'x-frame-options': 'DENY' });
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  answers.changed(['votes']);
  expect((await ask()).made).toBe(1);
  answers.changed(['reviews']);
  state.text = 'They are not.';
  const changed = await ask();
  expect(changed.made).toBe(2);
  expect(changed.headers.etag).not.toBe(first.headers.etag);
});

test('keeps a separate response for each URL', async () => {
  const { ask } = await listening();
  for (const page of [1, 2, 1, 2]) expect((await ask(`/list/?page=${page}`)).made).toBe(page);
});

test('computes a response once for simultaneous requests', async () => {
  const { state, ask } = await listening();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const asking = Array.from({ length: 20 }, () => ask());
  await expect.poll(() => state.made).toBe(1);
  resolve();
  expect(new Set((await Promise.all(asking)).map(({ made }) => made))).toEqual(new Set([1]));
});

test('does not send a response started before a change to requests made after it', async () => {
  const { answers, state, ask } = await listening();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const old = ask();
  await expect.poll(() => state.made).toBe(1);
  answers.changed(['reviews']);
  state.gate = Promise.resolve();
  expect((await ask()).made).toBe(2);
  resolve();
  expect((await old).made).toBe(1);
  expect((await ask()).made).toBe(2);
});

test('returns 304 to clients that have the response, with every header that browsers update', async () => {
  const { ask } = await listening();
  const { etag } = (await ask()).headers;
  const updated = { ...KEPT, etag, 'x-frame-options': 'DENY', 'x-request-id': expect.any(String) };
  for (const named of [etag, `W/${etag}`, `"else", ${etag}`, '*']) {
    const again = await ask('/list/', knowing(named));
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers).toMatchObject(updated);
    expect(again.headers).not.toHaveProperty('content-type');
  }
  expect((await ask('/list/', knowing('"else"'))).status).toBe(200);
});

test('returns 304 when a recomputed response is unchanged', async () => {
  const { answers, ask } = await listening();
  const { etag } = (await ask()).headers;
  answers.changed(['reviews']);
  const again = await ask('/list/', knowing(etag));
  expect(again).toMatchObject({ status: 304, made: 2, headers: { etag } });
  expect(again.body).toHaveLength(0);
});

test.each<[string, keyof typeof DECOMPRESS | undefined]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.0,gzip; q=0', undefined],
  ['brotli', undefined],
  ['', undefined],
])('answers Accept-Encoding: %s with %s', async (accepted, encoding) => {
  const { ask } = await listening();
  const options = accepting(accepted);
  const plain = await ask();
  // Computed for the first request, cached for the second.
  for (const answer of [await ask('/list/', options), await ask('/list/', options)]) {
    expect(answer.made).toBe(1);
    expect(answer.headers['content-encoding']).toBe(encoding);
    const text = encoding ? await DECOMPRESS[encoding](answer.body) : answer.body;
    expect(text).toEqual(plain.body);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect(answer.headers.vary).toBe('accept-encoding');
    if (!encoding) continue;
    expect(answer.body.length).toBeLessThan(plain.body.length / 2);
    // A strong ETag belongs to one encoding.
    expect(answer.headers.etag).not.toBe(plain.headers.etag);
    expect((await ask('/list/', knowing(answer.headers.etag, options))).status).toBe(304);
    expect((await ask('/list/', knowing(plain.headers.etag, options))).status).toBe(200);
  }
});

test('does not compress images', async () => {
  const { state, ask } = await listening();
  state.type = 'image/png';
  const answer = await ask('/list/', accepting('br, gzip'));
  expect(answer.headers).toMatchObject({ 'content-type': 'image/png' });
  expect(answer.headers).not.toHaveProperty('content-encoding');
});

test('answers HEAD with the headers of GET, fresh or cached', async () => {
  const { state, ask } = await listening();
  const made = await ask('/list/', { method: 'HEAD' });
  const kept = await ask('/list/', { method: 'HEAD' });
  const get = await ask();
  expect(state.made).toBe(1);
  expect([made.body, kept.body]).toEqual([Buffer.alloc(0), Buffer.alloc(0)]);
  expect([made.shared, kept.shared]).toEqual([get.shared, get.shared]);
});

test.each([
  ['a client error', { status: 404 }],
  ['a server error', { status: 503 }],
  ['a redirect', { status: 301 }],
  ['a response marked no-store', { cacheControl: 'no-store' }],
])('does not cache %s', async (_what, answer) => {
  const { state, answers, ask } = await listening();
  Object.assign(state, answer);
  const { status, headers } = await ask();
  await ask();
  expect(status).toBe(state.status);
  expect(state.made).toBe(2);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers).not.toHaveProperty('etag');
  expect(answers.weight).toBe(0);
});

test('does not cache other routes or other methods', async () => {
  const { ask } = await listening();
  expect([(await ask('/other/')).made, (await ask('/other/')).made]).toEqual([1, 2]);
  expect((await ask('/other/')).headers['cache-control']).toBe('no-store');
  await ask();
  expect((await ask('/list/', { method: 'POST' })).status).toBe(404);
});

test("gives each response its own request id, or the caller's, and its own log line", async () => {
  const { answered, ask } = await listening();
  const headers = { 'x-request-id': 'given-by-the-caller' };
  const answers = [await ask(), await ask(), await ask('/list/', { headers })];
  const ids = answers.map((answer) => String(answer.headers['x-request-id']));
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBe('given-by-the-caller');
  await expect.poll(answered).toHaveLength(3);
  const each = { method: 'GET', route: '/list/', status: 200, ms: expect.any(Number) };
  expect(answered()).toMatchObject(ids.map((reqId) => ({ ...each, reqId })));
});

test('leaves requests to Fastify while the server stops', async () => {
  const { app, state, ask } = await listening();
  await ask();
  await ask();
  expect(state).toMatchObject({ heard: 1, made: 1 });
  const stopped = app.stop(500);
  expect((await ask()).status).toBe(200);
  expect(state).toMatchObject({ heard: 2, made: 1 });
  await stopped;
});

test('allows caching only for public routes without a rate limit', () => {
  const answers = new TopicCache<CachedResponse>({ capacity: 1, weigh: weightOf });
  for (const config of [
    { access: 'signed-in', madeFrom: ['reviews'] },
    { access: 'public', rateLimit: 'reviewWrite', madeFrom: ['reviews'] },
  ] as const) {
    const app = fastify();
    cacheResponses(app, answers);
    const add = () => app.get('/mine/', { config }, async () => '');
    expect(add).toThrow('/mine/ caches its responses');
  }
});
