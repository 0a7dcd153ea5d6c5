import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { TIME_OUTS } from '#server/time-outs.ts';

/**
 * Lets open requests finish while the server shuts down, and closes all other connections: with
 * their last response, at once if they have sent nothing, and otherwise after a while. Node
 * would wait for keep-alive, and forever for a request that never comes.
 */
export function gracefulClose(app: FastifyInstance, waitMs: number = TIME_OUTS.requestsStop.ms) {
  const sockets = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    if (closing) socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), waitMs).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
