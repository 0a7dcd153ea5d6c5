import fc from 'fast-check';
import type { Operation } from './operations.ts';
import { type Exchange, validRequests } from './requests.ts';
import { CANARY, texts } from './texts.ts';

const one = (...values: string[]) => fc.constantFrom(...values);

/** Header values that a client may send: no line breaks, and only Latin-1. */
const headerText = texts(80).map((text) =>
  [...text].filter((char) => char >= ' ' && char <= '\u00ff' && char !== '\u007f').join(''),
);

const ODD_HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  accept: one('text/html', '*/*;q=0', 'application/xml', ',,,', 'a'.repeat(3000)),
  'accept-encoding': one(
    'br',
    'gzip',
    'br;q=0, gzip;q=0',
    '*',
    'identity;q=0',
    'br;q=x',
    ', br ,,',
  ),
  'accept-language': headerText,
  'if-none-match': one('*', '"x"', 'W/"x", "y", *', '"unclosed', `${'"a",'.repeat(900)}"b"`),
  'if-modified-since': one('yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'),
  cookie: fc.oneof(
    one('csrftoken=%C3%A9', 'csrftoken=a', 'csrftoken=', '=;=;=', 'a=b; csrftoken=%E0%A4%A; ;;'),
    headerText.map((text) => `csrftoken=${text}`),
    one(`csrftoken=${'x'.repeat(4000)}`, '__proto__=1; constructor=2', 'csrftoken="a"'),
  ),
  'x-csrftoken': fc.oneof(one('a', '', 'é', 'a, a'), headerText),
  origin: one('null', 'http://localhost:3000', 'https://evil.example', 'http://', 'x', 'file://'),
  'sec-fetch-site': one('same-origin', 'cross-site', 'none', 'cross-site, same-origin'),
  'x-forwarded-for': one('1.2.3.4', '::1, 10.0.0.1', 'x', `${'1.1.1.1,'.repeat(300)}2.2.2.2`),
  'x-forwarded-host': one('evil.example', ''),
  forwarded: one('for=1.2.3.4;host=evil.example'),
  range: one('bytes=0-10', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-3', 'bytes=99999999999-', 'x'),
  'content-type': one(
    'application/json; charset=utf-8',
    'application/json; charset=utf-7',
    'APPLICATION/JSON',
    'application/problem+json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/',
    ';',
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

const oddHeader = fc.oneof(
  ...Object.entries(ODD_HEADERS).map(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  ),
);

/** Only a few: with all of them, the first would get most requests rejected. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .uniqueArray(oddHeader, { minLength: 1, maxLength: 4, selector: ([name]) => name })
  .map((pairs) => Object.fromEntries(pairs));

/** Valid requests with some odd headers. */
export const oddHeaderRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  fc
    .tuple(validRequests(operations), oddHeaders)
    .map(([exchange, headers]) =>
      exchange.map((request) => ({ ...request, headers: { ...request.headers, ...headers } })),
    );
