import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { TIME_OUTS } from '#server/time-outs.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether `stop` has been called. */
    isStopping(): boolean;
    /** Serves for `drainMs` more, finishes open requests, and closes. */
    stop(drainMs: number): Promise<void>;
  }
}

/**
 * Lets a server stop without losing a request: it keeps serving while balancers notice, then
 * finishes open requests. From the beginning, each connection closes with its next response. At the
 * end, idle connections close immediately, and others after a while: Node would wait forever for a
 * request that never comes.
 */
export function gracefulClose(app: FastifyInstance, waitMs: number = TIME_OUTS.requestsStop.ms) {
  const { server } = app;
  const sockets = new Set<Socket>();
  let stopping = false;
  let closing = false;
  server.on('connection', (socket: Socket) => {
    if (closing) socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  app.decorate('isStopping', () => stopping);
  app.decorate('stop', async (drainMs: number) => {
    stopping = true;
    if (server.listening) await pause(drainMs);
    closing = true;
    // Fastify's own close comes last: it would reject the API calls of a page being rendered.
    const closed = new Promise<unknown>((resolve) => server.close(resolve));
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => server.closeAllConnections(), waitMs).unref();
    await closed;
    await app.close();
  });
}
