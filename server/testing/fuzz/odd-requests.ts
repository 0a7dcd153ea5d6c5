import fc from 'fast-check';
import { BuildMissing, productionBuild } from '#server/pages/pages.ts';
import type { Operation } from './operations.ts';
import { type Exchange, validRequests, withQuery } from './requests.ts';
import { ROLES } from './roles.ts';
import { CANARY, INHERITED, texts } from './texts.ts';

const one = (...values: string[]) => fc.constantFrom(...values);

/** Header values that a client may send: no line breaks, and only Latin-1. */
const headerText = texts(80).map((text) =>
  [...text].filter((char) => char >= ' ' && char <= '\u00ff' && char !== '\u007f').join(''),
);

const ODD_HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  accept: one('text/html', '*/*;q=0', 'application/xml', ',,,', 'a'.repeat(3000)),
  'accept-encoding': one('br', 'gzip', 'br;q=0, gzip;q=0', '*', 'identity;q=0', 'br;q=x', ', br,,'),
  'accept-language': headerText,
  'if-none-match': one('*', '"x"', 'W/"x", "y", *', '"unclosed', `${'"a",'.repeat(900)}"b"`),
  'if-modified-since': one('yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'),
  cookie: fc.oneof(
    one('=;=;=', 'a=b; csrftoken=%E0%A4%A; ;;', '__proto__=1; constructor=2'),
    one('%C3%A9', 'a', '', '"a"', 'x'.repeat(4000)).map((token) => `csrftoken=${token}`),
    headerText.map((text) => `csrftoken=${text}`),
  ),
  'x-csrftoken': fc.oneof(one('a', '', 'é', 'a, a'), headerText),
  origin: one('null', 'http://localhost:3000', 'https://evil.example', 'http://', 'x', 'file://'),
  'sec-fetch-site': one('same-origin', 'cross-site', 'none', 'cross-site, same-origin'),
  'x-forwarded-for': one('1.2.3.4', '::1, 10.0.0.1', 'x', `${'1.1.1.1,'.repeat(300)}2.2.2.2`),
  'x-forwarded-host': one('evil.example', ''),
  forwarded: one('for=1.2.3.4;host=evil.example'),
  range: one('bytes=0-10', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-3', 'bytes=99999999999-', 'x'),
  'content-type': fc.oneof(
    one('application/json; charset=utf-8', 'application/json; charset=utf-7', 'APPLICATION/JSON'),
    one('application/problem+json', 'text/plain', 'application/', ';'),
    one('multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'),
  ),
  'content-encoding': one('gzip', 'br', 'identity', 'x'),
  expect: one('100-continue', 'x'),
  // Accepted ids are logged, so there is no canary in them.
  'x-request-id': one('12345678', 'a'.repeat(64), 'a'.repeat(65), '"\\', '', 'é'.repeat(9)),
  'x-client-version': headerText,
  'x-http-method-override': one('DELETE', 'PUT'),
  host: one('localhost:3000', 'evil.example', '[::1]:80', 'a b', '', 'localhost:99999', 'é'),
  'user-agent': headerText.map((text) => `${CANARY} ${text}`),
  constructor: one('x'),
};

/** Only a few: with all of them, the first would get most requests rejected. */
const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .uniqueArray(
    fc.oneof(...Object.entries(ODD_HEADERS).map(([name, to]) => fc.tuple(fc.constant(name), to))),
    { minLength: 1, maxLength: 4, selector: ([name]) => name },
  )
  .map((pairs) => Object.fromEntries(pairs));

/** Valid requests with some odd headers. */
export const oddHeaderRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  fc
    .tuple(validRequests(operations), oddHeaders)
    .map(([exchange, headers]) =>
      exchange.map((request) => ({ ...request, headers: { ...request.headers, ...headers } })),
    );

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const ODD_ROOTS = [
  '/api//',
  '/API/',
  '/%61pi/',
  '/x/../api/',
  '/x/%2e%2e/api/',
  '/api/./',
  '\\api\\',
];
const ODD_SEGMENTS = [
  ...['%E0%A4%A', '%', '%00', '%2F%2f', '%F0%9F%91%A9', CANARY.repeat(40), 'x'.repeat(9000)],
  ...INHERITED,
];
const ODD_ENDS = [
  ...['/', ';a=b', '?', '??a', '?%E0%A4%A=%', '?a=%00&&&=&=x', `?${'a=1&'.repeat(2000)}`],
  '#fragment',
];
const ODD_STARTS = [
  'http://localhost:3000',
  'http://evil.example',
  '//evil.example',
  `https://${CANARY}@[::1`,
];

type PathChange = (path: string) => string;
const changesBy = (values: readonly string[], change: (value: string) => PathChange) =>
  fc.constantFrom(...values.map(change));

/** Changes that leave a path nearly the same. */
const PATH_CHANGES = fc.oneof(
  changesBy(ODD_ROOTS, (root) => (path) => path.replace('/api/', root)),
  // Replaces the path's id, or its last segment.
  changesBy(ODD_SEGMENTS, (part) => (path) => path.replace(/\{\{.*?\}\}|\w+\/$/, part)),
  changesBy(ODD_ENDS, (end) => (path) => path + end),
  changesBy(ODD_STARTS, (start) => (path) => start + path),
  changesBy(['*', '/', '/api', '/api/%'], (whole) => () => whole),
  fc.constantFrom<PathChange>(
    (path) => path,
    (path) => path.replace(/\/$/, ''),
    (path) => path.replace('e', '%65'),
  ),
);

/** Any method on any path, and paths that nearly match one in the document. */
export const oddPathRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  fc
    .tuple(validRequests(operations), fc.option(one(...METHODS), { freq: 2 }), PATH_CHANGES)
    .map(([exchange, method, change]) =>
      exchange.map((request) => ({
        ...request,
        method: method ?? request.method,
        url: change(request.url.replace(/\?.*$/s, '')),
      })),
    );

/** The URL pattern of every page in the production build; empty if nothing was built. */
export async function pagePatterns(): Promise<string[]> {
  try {
    const { routes } = await productionBuild.load();
    const pathOf = (id: string | undefined): string => {
      const route = id === undefined ? undefined : routes[id];
      return route ? `${pathOf(route.parentId)}/${route.path ?? ''}` : '';
    };
    const paths = Object.keys(routes).map((id) => pathOf(id).replace(/\/+/g, '/'));
    return [...new Set(paths)].map((path) => path.replace(/(?<=.)\/$/, ''));
  } catch (error) {
    if (error instanceof BuildMissing) return [];
    throw error;
  }
}

const FILES = [
  ...['/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/static/index.html', '/healthz'],
  ...['/readyz', '/favicon.ico', '/robots.txt', '/sitemap.xml', '/sitemaps/employers/1.xml'],
  ...['/feeds/reviews', '/feeds/employers/{{employer:1}}'],
];
const PARAMETERS = ['search', 'page', 'ordering', 'state', 'city', 'token', 'uidb64', 'ids', 'x'];

/** Requests for pages and files with odd parameters and headers. */
export const pageRequests = (pages: readonly string[]): fc.Arbitrary<Exchange> =>
  fc
    .record({
      role: fc.constantFrom(...ROLES),
      method: one('GET', 'GET', 'GET', 'HEAD', 'POST'),
      pattern: fc.oneof(one(...pages), one(...FILES)),
      id: one('{{employer:1}}', '{{review:1}}', '0', '%', 'x'),
      query: fc.array(fc.tuple(one(...PARAMETERS), texts(300)), { maxLength: 4 }),
      headers: fc.oneof(fc.constant({}), oddHeaders),
    })
    .map(({ pattern, id, query, ...rest }) => [
      { ...rest, url: withQuery(pattern.replace(/:\w+|\*/, id), query), body: null },
    ]);

/** Header lines that HTTP forbids, or that servers read in different ways. */
const RAW_LINES = [
  ...['Host: a\r\nHost: b', 'Host', 'Host : a', ' Host: a', 'X: a\r\n b', 'X: a\nY: b'],
  ...[`X: ${CANARY}\0`, 'X: \u00e9\u00ff', `X: ${'a'.repeat(17_000)}`],
  Array.from({ length: 2100 }, (_, at) => `X${at}: ${CANARY}`).join('\r\n'),
  ...['chunked', 'chunked\r\nContent-Length: 5', 'gzip, chunked', 'xchunked'].map(
    (coding) => `Transfer-Encoding: ${coding}`,
  ),
  ...['5', '5\r\nContent-Length: 6', '-1', '99999999999999999999', '1e3'].map(
    (length) => `Content-Length: ${length}`,
  ),
  ...['Content-Type: application/json', 'Expect: 100-continue'],
  ...['Connection: upgrade\r\nUpgrade: websocket', 'Connection: keep-alive, x\r\nKeep-Alive: x'],
  'Cookie: csrftoken=\u00c3\u00a9\r\nX-CSRFToken: a',
];

const RAW_BODIES = [
  ...['', 'hello', '5\r\nhello\r\n0\r\n\r\n', '5;ext="x"\r\nhello\r\n0\r\nTrailer: x\r\n\r\n'],
  ...['ffffffffffffffff\r\nx', '-1\r\nx\r\n0\r\n\r\n', '5\nhello\n0\n\n', 'x'.repeat(70_000)],
  '0\r\n\r\nGET /api/admin/reports/ HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2),
  '{"email":"\u00ff\u00fe"}',
];

const RAW_TARGETS = [
  ...[
    '/api/reviews/',
    '/api/auth/login/',
    'http://localhost:3000/api/reviews/',
    'https://localhost/',
  ],
  ...['http://evil.example/api/csrf/', 'ftp://x', 'http://', 'evil.example:443', '*', '', '//'],
  ...['api/reviews/', '/api/reviews/ /x', '/\0', '/api/reviews/?search=\u00e9', '/..', '\\'],
  `/${CANARY.repeat(2100)}`,
];
const RAW_METHODS = ['get', 'G T', 'BREW', '', 'GET\0', 'CONNECT', 'x'.repeat(9000)];
const RAW_VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', '', 'HTTP/1.1 x'];
const NOT_HTTP = ['', '\r\n\r\n', '\0'.repeat(100), '\u0016\u0003\u0001\u0002\0', 'HELO x\r\n'];

/** The bytes of a valid or nearly valid HTTP request, one character per byte. */
export const rawBytes: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({
        method: fc.oneof(one('GET', 'POST'), one(...RAW_METHODS)),
        target: one(...RAW_TARGETS),
        version: fc.oneof({ arbitrary: one('HTTP/1.1'), weight: 2 }, one(...RAW_VERSIONS)),
        host: fc.constantFrom(['Host: localhost:3000'], ['Host: localhost:3000'], []),
        lines: fc.subarray(RAW_LINES, { maxLength: 3 }),
        body: one(...RAW_BODIES),
      })
      .map(({ method, target, version, host, lines, body }) => {
        const head = [`${method} ${target} ${version}`, ...host, ...lines].join('\r\n');
        return `${head}\r\n\r\n${body}`;
      }),
  },
  one(...NOT_HTTP),
  fc.string({ unit: 'binary-ascii', maxLength: 200 }),
);
