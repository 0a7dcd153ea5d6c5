import fc from 'fast-check';
import type { Operation } from './operations.ts';
import { type Exchange, validRequests } from './requests.ts';
import { CANARY } from './texts.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Replaces the path's id, or its last segment. */
const instead = (path: string, part: string) => path.replace(/\{\{.*?\}\}|\w+\/$/, part);

/** Changes that leave a path nearly the same. */
const PATH_CHANGES: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace(/\/$/, ''),
  (path) => `${path}/`,
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace('/api/', '/API/'),
  (path) => path.replace('e', '%65'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/api/', '/x/../api/'),
  (path) => path.replace('/api/', '/x/%2e%2e/api/'),
  (path) => path.replace('/api/', '/api/./'),
  (path) => path.replace('/api/', '\\api\\'),
  (path) => instead(path, '%E0%A4%A'),
  (path) => instead(path, '%'),
  (path) => instead(path, '%00'),
  (path) => instead(path, '%2F%2f'),
  (path) => instead(path, '%F0%9F%91%A9'),
  (path) => instead(path, CANARY.repeat(40)),
  (path) => instead(path, 'x'.repeat(9000)),
  (path) => instead(path, '__proto__'),
  (path) => `${path};a=b`,
  (path) => `${path}?`,
  (path) => `${path}??a`,
  (path) => `${path}?%E0%A4%A=%`,
  (path) => `${path}?a=%00&&&=&=x`,
  (path) => `${path}?${'a=1&'.repeat(2000)}`,
  (path) => `${path}#fragment`,
  (path) => `http://localhost:3000${path}`,
  (path) => `http://evil.example${path}`,
  (path) => `https://${CANARY}@[::1${path}`,
  (path) => `//evil.example${path}`,
  () => '*',
  () => '/',
  () => '/api',
  () => '/api/%',
];

/** Any method on any path, and paths that nearly match one in the document. */
export const oddPathRequests = (operations: readonly Operation[]): fc.Arbitrary<Exchange> =>
  fc
    .tuple(
      validRequests(operations),
      fc.constantFrom(...METHODS),
      fc.boolean(),
      fc.constantFrom(...PATH_CHANGES),
    )
    .map(([exchange, method, isOddMethod, change]) =>
      exchange.map((request) => ({
        ...request,
        method: isOddMethod ? method : request.method,
        url: change(request.url.replace(/\?.*$/s, '')),
      })),
    );
