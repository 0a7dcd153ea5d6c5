import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import { errorWithoutText, REDACTED_PATHS } from '#server/anonymity/redaction.ts';
import { routableUrl } from '#server/cache/canonical-url.ts';
import type { Config } from '#server/config/config.ts';
import { limitConnections } from '#server/plugins/load-shedding.ts';
import { closeUnread, unreadableRequest, unreadableUrl } from '#server/plugins/refused-requests.ts';
import { logLines, requestId } from '#server/plugins/request-log.ts';
import { TIME_OUTS } from '#server/time-outs.ts';

/** The largest body is a review, about 15 kB of text: up to 60 kB, if all of it is emoji. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Fastify's own options: logging, limits, and the errors it raises itself. */
function serverOptions(config: Config, logTo?: (line: string) => void): FastifyHttpOptions<Server> {
  return {
    logger: {
      level: config.logLevel,
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      // Pino's default serializers would log the caller's address and URL.
      serializers: { req: () => ({}), res: () => ({}), err: errorWithoutText },
      stream: logTo ? { write: logTo } : logLines(),
    },
    logController: new LogController({ disableRequestLogging: true }),
    http: {
      requireHostHeader: false,
      // Node would wait a minute for headers, and look only every 30 seconds.
      headersTimeout: TIME_OUTS.request.ms,
      connectionsCheckingInterval: 1000,
    },
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: TIME_OUTS.request.ms,
    keepAliveTimeout: TIME_OUTS.keepAlive.ms,
    trustProxy: config.trustProxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestIdHeader: false,
    genReqId: requestId,
    forceCloseConnections: 'idle',
    rewriteUrl: routableUrl,
    frameworkErrors: unreadableUrl,
    clientErrorHandler: unreadableRequest,
  };
}

/** Creates the bare Fastify instance, whose log is part of `deps`. */
export function createApp(config: Config, logTo?: (line: string) => void): FastifyInstance {
  const app = fastify(serverOptions(config, logTo));
  gracefulClose(app);
  limitConnections(app.server);
  closeUnread(app);
  return app;
}

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
    const closed = new Promise<unknown>((resolve) =>
      NetServer.prototype.close.call(server, resolve),
    );
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
