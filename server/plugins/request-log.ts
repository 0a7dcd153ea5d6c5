import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** The caller's id for the request, if it is one; it comes back in the answer and the log. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Standard output, lines of a moment at once: under load, a write for each costs more than the answer
 * that it tells of. What waits is written when the process exits.
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
 * Logs one line per answer: what was asked of which route, never by whom. The route's pattern stands
 * for the URL, which may hold ids, searches and tokens; no address or user agent is read.
 */
export function answerLog(app: FastifyInstance): (line: AnswerLine) => void {
  // Nothing in these lines could be redacted, and looking for it costs as much as the answer.
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
