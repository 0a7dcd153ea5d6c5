import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** The `X-Request-Id` of the caller if it is valid, or else a new id. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Standard output, buffered: under load, one write per line costs more than the response. The
 * buffer is flushed on exit.
 */
export const logLines = () =>
  pino.destination({ sync: false, minLength: 16_000, periodicFlush: 20 });

interface AnswerLine {
  reqId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

/**
 * Logs one line per response. It has the route pattern instead of the URL, which may contain ids,
 * searches, and tokens, and nothing about the client.
 */
export function answerLog(app: FastifyInstance): (line: AnswerLine) => void {
  // These lines have nothing to redact, and redaction costs as much as the response.
  const log = app.log.child({}, { redact: [] });
  return (line) => log.info(line, 'answered');
}

export function requestLog(app: FastifyInstance) {
  const logAnswer = answerLog(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    logAnswer({
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
}
