import { Server, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
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

/** How long open connections may still bring a request once no new ones are accepted. */
const LAST_REQUEST_MS = 500;
/** Turns of the event loop in which a busy server still accepts connections that have arrived. */
const MOST_TURNS = 100;

/**
 * Lets a server stop without losing a request: it keeps serving while balancers notice, then
 * finishes open requests. From the beginning, each connection closes with its next response. At the
 * end, the listener closes first, then idle connections, and the others after a while: Node would
 * wait forever for a request that never comes.
 */
export function gracefulClose(app: FastifyInstance, waitMs: number = TIME_OUTS.requestsStop.ms) {
  const { server } = app;
  const sockets = new Set<Socket>();
  let accepted = 0;
  let stopping = false;
  let closing = false;
  server.on('connection', (socket: Socket) => {
    if (closing) socket.destroy();
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  /** The kernel resets a connection that has arrived, and that nobody has accepted. */
  const acceptArrived = async () => {
    for (let before = -1, turns = 0; before !== accepted && turns < MOST_TURNS; turns += 1) {
      before = accepted;
      await turn();
    }
  };
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  app.decorate('isStopping', () => stopping);
  app.decorate('stop', async (drainMs: number) => {
    stopping = true;
    if (server.listening) await pause(drainMs);
    await acceptArrived();
    // Only the listener: HTTP's own close would end connections whose next request has arrived.
    // Fastify's close comes last, because it would reject the API calls of a page being rendered.
    const closed = new Promise<unknown>((resolve) => Server.prototype.close.call(server, resolve));
    setTimeout(() => server.closeAllConnections(), waitMs).unref();
    await Promise.race([closed, pause(LAST_REQUEST_MS)]);
    // After a turn, all that has arrived is read.
    await turn();
    closing = true;
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
    await app.close();
  });
}
