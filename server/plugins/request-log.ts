import type { FastifyInstance } from 'fastify';

/**
 * One line per answer: what was asked of which route, never by whom. The route's pattern stands
 * for the URL, which may hold ids, searches and tokens; no address or user agent is read.
 */
export function requestLog(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
}
