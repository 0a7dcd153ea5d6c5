import type { FastifyInstance } from 'fastify';

/**
 * Lets the server end as soon as what is in flight is answered: an answer that is sent while it
 * closes also closes its connection, which would else be kept alive for another minute.
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
