import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Answered } from './open-routes.ts';
import { HEALTH_CHECKS } from './well-known-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** This server made the request itself, while rendering a page. */
    isInner: boolean;
  }
}

const REQUEST_ID = /^[\w-]{8,64}$/;

/** The `X-Request-Id` of the caller if it is valid, or else a new id. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The longest that a line waits in the buffer. */
const FLUSH_MS = 20;

/**
 * Standard output, buffered: under load, one write per line costs more than the response. The
 * buffer is flushed on exit.
 */
export function logLines() {
  // In text mode, the destination would measure its whole buffer again for each line.
  const options = { sync: false, minLength: 16_000, contentMode: 'buffer' } as const;
  // Its types support only text.
  const output = pino.destination(options) as unknown as {
    write(line: Buffer): boolean;
    flush(): void;
    flushSync(): void;
    on(event: 'write', listener: (bytes: number) => void): void;
  };
  let waitingBytes = 0;
  let isTimed = false;
  output.on('write', (bytes) => {
    waitingBytes -= bytes;
  });
  // Pino's own `periodicFlush` would also write when there is nothing to write.
  const flushSoon = () => {
    if (isTimed || waitingBytes === 0) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      if (waitingBytes > 0) output.flush();
      // Nothing is flushed while an earlier write is under way.
      flushSoon();
    }, FLUSH_MS).unref();
  };
  return {
    write(text: string): void {
      const line = Buffer.from(text);
      waitingBytes += line.length;
      output.write(line);
      flushSoon();
    },
    // Pino calls this after a fatal error.
    flushSync(): void {
      output.flushSync();
      waitingBytes = 0;
    },
  };
}

interface AnswerLine extends Answered {
  readonly reqId: string;
}

/**
 * Logs one line per response. It has the route pattern instead of the URL, which may contain ids,
 * searches, and tokens, and nothing about the client.
 */
export function answerLog(app: FastifyInstance): (line: AnswerLine) => void {
  // These lines contain nothing to redact, and redaction costs as much as the response.
  const log = app.log.child({}, { redact: [] });
  return (line) => log.info({ ...line, ms: Math.round(line.ms) }, 'answered');
}

/**
 * Logs every answer except those of health checks, which come several times a second: only when
 * their status changes.
 */
export function requestLog(app: FastifyInstance, onAnswer: (answered: Answered) => void) {
  const logAnswer = answerLog(app);
  const health = new Map<string, number>();
  const isNews = ({ route, status }: Answered) => {
    if (!HEALTH_CHECKS.includes(route)) return true;
    const isSame = health.get(route) === status;
    health.set(route, status);
    return !isSame;
  };
  app.decorateRequest('isInner', false);
  app.addHook('onRequest', async (request, reply) => {
    request.isInner = isInnerCall();
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const answered = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
    };
    if (isNews(answered)) logAnswer({ reqId: request.id, ...answered });
    if (!request.isInner) onAnswer(answered);
  });
}

const inside = new AsyncLocalStorage<true>();

/** Makes a request that rendering a page needs. It does not count as an outside request. */
export const innerCall = <T>(call: () => PromiseLike<T>): Promise<T> =>
  // `inject` sends its request only when it is awaited.
  inside.run(true, async () => await call());

const isInnerCall = (): boolean => inside.getStore() === true;
