import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type {
  ConnectionError,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import findMyWay from 'find-my-way';
import { AppError } from '#server/errors/app-error.ts';
import { problemOf, sendProblem, toAppError, wrongMediaType } from './problem-details.ts';
import { SAFE_METHODS } from './route.ts';

/** Headers for responses that are sent before any hook runs. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};

/** Responds to a request whose URL cannot be parsed. */
export function unreadableUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...HEADERS, 'x-request-id': request.id });
  return sendProblem(request, reply, toAppError(error));
}

const CODES = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
} as const;

/** Responds to invalid or incomplete HTTP, and closes the connection. */
export function unreadableRequest({ code }: ConnectionError, socket: Socket) {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = new AppError(CODES[code as keyof typeof CODES] ?? 'malformed_request');
  const id = randomUUID();
  const body = JSON.stringify(problemOf(error, id));
  const headers = {
    ...HEADERS,
    'x-request-id': id,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head.join('')}\r\n${body}`,
  );
  // A client could keep its half of the connection open forever.
  setTimeout(() => socket.destroy(), ANSWER_MS).unref();
}

/** How long a client may read the answer to a request that it has not sent completely. */
const ANSWER_MS = 1000;

/**
 * Closes the connection of a request that was answered, and is still incomplete a second later. Once
 * it is complete, the connection serves others: closing it then would make a browser repeat them.
 */
export function closeUnread({ server }: FastifyInstance) {
  server.on('request', (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      setTimeout(() => {
        if (!request.complete) request.socket.destroy();
      }, ANSWER_MS).unref();
    });
  });
}

const CHARSET = /;\s*charset="?([^";\s]+)/i;

/**
 * Rejects invalid targets, requests without exactly one host, and bodies that are not plain UTF-8
 * (RFC 8259, section 8.1).
 */
export function readableRequests(app: FastifyInstance) {
  // `Expect` may be ignored (RFC 9110, section 10.1.1). Node would respond without a body.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // Fastify parses this by default, but no route accepts it.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async ({ url, method, raw }) => {
    const isTarget = url.startsWith('/') || (url === '*' && method === 'OPTIONS');
    if (!isTarget || !hasOneHost(raw)) throw new AppError('malformed_request');
  });
  // After the access check, whose error takes precedence.
  app.addHook('preParsing', async (request) => {
    if (SAFE_METHODS.has(request.method)) return;
    const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } =
      request.headers;
    const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
    if (encoding !== 'identity' || !/^utf-?8$/i.test(charset)) throw wrongMediaType(request);
  });
}

/** RFC 9112, section 3.2. Node's own error would lack our headers. */
export function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route handles all paths that have no route of their own. */
    isCatchAll?: boolean;
  }
}

/**
 * Records the methods of each path registered after it. The returned handler answers unrouted
 * requests: 405 and `Allow` (RFC 9110, section 15.5.6) for a path with other methods, otherwise
 * 404.
 */
export function knownMethods(app: FastifyInstance) {
  const router = findMyWay({ ignoreTrailingSlash: true });
  const byPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isCatchAll) return;
    // Parameter names and trailing slashes do not matter.
    const path = url.replace(/:\w+/g, ':part').replace(/(?<=.)\/$/, '');
    let methods = byPath.get(path);
    if (!methods) {
      methods = new Set(['OPTIONS']);
      byPath.set(path, methods);
      router.on('GET', path, () => {}, methods);
    }
    for (const one of [method].flat()) methods.add(one);
  });
  const methodsAt = (url: string): ReadonlySet<string> | undefined =>
    url === '*' ? new Set([...byPath.values()].flatMap((all) => [...all])) : findAt(url);
  const findAt = (url: string) => router.find('GET', url.split('?')[0] ?? '')?.store ?? undefined;

  return (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsAt(request.url);
    if (!methods) return sendProblem(request, reply, new AppError('not_found'));
    reply.header('allow', [...methods].sort().join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return sendProblem(request, reply, new AppError('method_not_allowed'));
  };
}
