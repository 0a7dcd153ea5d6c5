import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { pagesOf } from '#server/testing/page-source.ts';
import { type Site, testWith } from '#server/testing/site.ts';

let port = 0;
const test = testWith({ pageSource: pagesOf() });
test.beforeAll(async ({ site: { app } }) => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});

/** Sends raw bytes, and reads the whole response. */
async function send(request: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line) => line.split(/:\s*(.*)/));
  const headers = Object.fromEntries(
    pairs.map(([name = '', value]) => [name.toLowerCase(), value]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

const get = (target: string, ...headers: string[]) => {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return send([...lines, '', ''].join('\r\n'));
};

type Answer = Awaited<ReturnType<typeof send>>;

/** Every rejection has the same form. */
function expectProblem({ status, headers, body }: Answer, expected: number, code: string) {
  expect([status, JSON.parse(body)]).toMatchObject([expected, { status: expected, code }]);
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('application/problem+json'),
    'cache-control': expect.stringMatching(/^no-store/),
    'x-content-type-options': 'nosniff',
  });
  expect(JSON.parse(body).request_id).toBe(headers['x-request-id']);
}

test.each(['/api/employers/', '/', '/reviews?f=1'])('absolute form is a path: %s', async (path) => {
  const answer = await get(`http://curbside.example${path}`);
  expect([answer.status, answer.body]).toEqual([200, (await get(path)).body]);
});

const UNDECODABLE = ['/api/employers/%E0%A4%A/', '/employers/%E0%A4%A', '/%'];
const NO_PATHS = ['ftp://localhost/', 'reviews', '?search=a', 'http://'];
test.each([...UNDECODABLE, ...NO_PATHS])('rejects %s as malformed', async (target) => {
  expectProblem(await get(target), 400, 'malformed_request');
});

test('rejects headers and URLs that are too long with their own error', async () => {
  expectProblem(await get(`/${'a'.repeat(20_000)}`), 431, 'headers_too_large');
  expectProblem(await get('/', `X-Long: ${'a'.repeat(20_000)}`), 431, 'headers_too_large');
});

const POST = 'POST / HTTP/1.1\r\nHost: a\r\n';
const CHUNKS = '\r\n\r\n0\r\n\r\n';
test.each([
  ['not HTTP', 'HELLO\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
  ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  ['a length and chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked${CHUNKS}`],
  ['an encoding that does not end with chunked', `${POST}Transfer-Encoding: gzip${CHUNKS}`],
  ['no host', 'GET /api/employers/ HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ['* for a page', 'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
])('rejects invalid HTTP as malformed: %s', async (_, request) => {
  // Also for cached responses.
  await get('/');
  expectProblem(await send(request), 400, 'malformed_request');
});

test('ignores an unknown expectation', async () => {
  expect((await get('/api/employers/', 'Expect: miracles')).status).toBe(200);
});

describe('a body', () => {
  const post = ({ app }: Site, payload: string, type: string, more = {}) => {
    const headers = { 'content-type': type, ...more };
    return app.inject({ method: 'POST', url: '/api/auth/login/', headers, payload });
  };
  const JSON_TYPE = 'application/json';
  const UTF_16 = 'application/json; charset=utf-16';

  test.for([
    ['that is empty', '', JSON_TYPE, 400, 'malformed_request'],
    ['that is not JSON', '{"email":', JSON_TYPE, 400, 'malformed_request'],
    ['that is a JSON string', '"text"', JSON_TYPE, 400, 'validation_error'],
    ['of another type', 'a=b', 'text/plain', 415, 'unsupported_media_type'],
    ['in another charset', '{}', UTF_16, 415, 'unsupported_media_type'],
    ['that is compressed', '{}', JSON_TYPE, 415, 'unsupported_media_type'],
    ['that is too large', `"${'a'.repeat(70_000)}"`, JSON_TYPE, 413, 'payload_too_large'],
  ] as const)('%s is rejected', async ([what, payload, type, status, code], { site }) => {
    const encoding = what === 'that is compressed' && { 'content-encoding': 'gzip' };
    const answer = await post(site, payload, type, { ...encoding });
    const { statusCode, body } = answer;
    const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    expectProblem({ status: statusCode, headers: Object.fromEntries(flat), body }, status, code);
  });

  test('in UTF-8 with an explicit charset is accepted', async ({ site }) => {
    const answer = await post(site, '{}', 'application/json; charset="UTF-8"');
    expect(answer.json()).toMatchObject({ code: 'validation_error' });
  });
});

describe('a path', () => {
  const ask = async ({ app }: Site, method: string, url: string) => {
    const answer = await app.inject({ method: method as 'GET', url });
    return { status: answer.statusCode, allow: answer.headers['allow'], body: answer.body };
  };

  test.for([
    ['PUT', '/api/reviews/', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/api/reviews', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/employers/7/', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/auth/login/', 'OPTIONS, POST'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['POST', '/reviews', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/api/employers/', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/employers/7', 'GET, HEAD, OPTIONS'],
  ] as const)('%s %s is not allowed, but %s', async ([method, url, allow], { site }) => {
    const { status, allow: allowed, body } = await ask(site, method, url);
    expect([status, allowed, JSON.parse(body).code]).toEqual([405, allow, 'method_not_allowed']);
  });

  test.for([
    ['PUT', '/api/nothing/'],
    ['PUT', '/nothing'],
    ['OPTIONS', '/nothing'],
    ['POST', '/reviews.data'],
    ['GET', '/api/reviews/7/nothing/'],
  ] as const)('%s %s is not found', async ([method, url], { site }) => {
    const { status, allow, body } = await ask(site, method, url);
    expect([status, allow, JSON.parse(body).code]).toEqual([404, undefined, 'not_found']);
  });

  test('lists its methods for OPTIONS, and so does the server', async ({ site }) => {
    const allowed = { status: 204, allow: 'GET, HEAD, OPTIONS, POST', body: '' };
    expect(await ask(site, 'OPTIONS', '/api/reviews/')).toEqual(allowed);
    const options = 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const { status, headers } = await send(options);
    expect([status, headers['allow']]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH, POST']);
  });

  test('accepts HEAD wherever it accepts GET', async ({ site }) => {
    const { headers } = await site.doctor();
    const urls = ['/api/reviews/', '/api/auth/user/', '/healthz', '/reviews', '/api/docs/json'];
    for (const url of urls) {
      const head = await site.app.inject({ method: 'HEAD', url, headers });
      expect([url, head.statusCode, head.body]).toEqual([url, 200, '']);
    }
  });

  const ODD = ['/api/employers/%00/', '/api/reviews/%00/', '/api/employers/%2F/', '/reviews/%00'];
  test.for(ODD)('causes no server error: %s', async (url, { site }) => {
    expect((await ask(site, 'GET', url)).status).toBeLessThan(500);
  });
});

test('a caller without access is rejected before the body is checked', async ({ site }) => {
  const encoded = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const post = (url: string) =>
    site.app.inject({ method: 'POST', url, headers: encoded, payload: '{}' });
  expect((await post('/api/reviews/')).statusCode).toBe(401);
  expect((await post('/api/auth/login/')).statusCode).toBe(415);
  const headers = { 'content-encoding': 'gzip' };
  expect((await site.app.inject({ url: '/api/employers/', headers })).statusCode).toBe(200);
});
