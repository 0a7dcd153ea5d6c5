import type { FastifyInstance } from 'fastify';

/**
 * Closes each connection with its last response while the server shuts down. Otherwise keep-alive
 * would delay the shutdown by a minute.
 */
export function gracefulClose(app: FastifyInstance) {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
