import fc from 'fast-check';
import { CANARY } from './texts.ts';

const METHODS = ['GET', 'POST', 'get', 'G T', 'BREW', '', 'GET\u0000', 'CONNECT', 'x'.repeat(9000)];

const TARGETS = [
  '/api/reviews/',
  '/api/auth/login/',
  'http://localhost:3000/api/reviews/',
  'http://evil.example/api/csrf/',
  'https://localhost/',
  'ftp://x',
  'http://',
  'evil.example:443',
  '*',
  '',
  'api/reviews/',
  '/api/reviews/ /x',
  '/\u0000',
  '/api/reviews/?search=\u00e9',
  `/${CANARY.repeat(2100)}`,
  '//',
  '/..',
  '\\',
];

const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', '', 'HTTP/1.1 x'];

const HOST = 'Host: localhost:3000';

const HEADER_LINES = [
  'Host: a\r\nHost: b',
  'Host',
  'Host : a',
  ' Host: a',
  'X: a\r\n b',
  'X: a\nY: b',
  `X: ${CANARY}\u0000`,
  'X: \u00e9\u00ff',
  `X: ${'a'.repeat(17_000)}`,
  Array.from({ length: 2100 }, (_, at) => `X${at}: ${CANARY}`).join('\r\n'),
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: xchunked',
  'Content-Length: 5',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Length: 1e3',
  'Content-Type: application/json',
  'Expect: 100-continue',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Connection: keep-alive, x\r\nKeep-Alive: timeout=x',
  'Cookie: csrftoken=\u00c3\u00a9\r\nX-CSRFToken: a',
];

const BODIES = [
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '5;ext="x"\r\nhello\r\n0\r\nTrailer: x\r\n\r\n',
  'ffffffffffffffff\r\nx',
  '-1\r\nx\r\n0\r\n\r\n',
  '5\nhello\n0\n\n',
  '0\r\n\r\nGET /api/admin/reports/ HTTP/1.1\r\nHost: a\r\n\r\n',
  '{"email":"\u00ff\u00fe"}',
  'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'x'.repeat(70_000),
];

const NOT_HTTP = [
  '',
  '\r\n\r\n',
  '\u0000'.repeat(100),
  '\u0016\u0003\u0001\u0002\u0000',
  'HELO x\r\n',
];

/** The bytes of a valid or nearly valid HTTP request, one character per byte. */
export const rawBytes: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({
        method: fc.constantFrom(...METHODS.slice(0, 2), ...METHODS),
        target: fc.constantFrom(...TARGETS),
        version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', ...VERSIONS),
        host: fc.constantFrom([HOST], [HOST], []),
        lines: fc.subarray(HEADER_LINES, { maxLength: 3 }),
        body: fc.constantFrom(...BODIES),
      })
      .map(({ method, target, version, host, lines, body }) => {
        const head = [`${method} ${target} ${version}`, ...host, ...lines].join('\r\n');
        return `${head}\r\n\r\n${body}`;
      }),
  },
  { weight: 1, arbitrary: fc.constantFrom(...NOT_HTTP) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 200 }) },
);
