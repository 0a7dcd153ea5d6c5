import type { Server } from 'node:http';
import fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import { errorWithoutText, REDACTED_PATHS } from '#server/anonymity/redaction.ts';
import { routableUrl } from '#server/cache/canonical-url.ts';
import type { Config } from '#server/config/config.ts';
import { gracefulClose } from '#server/plugins/graceful-close.ts';
import { limitConnections } from '#server/plugins/load-shedding.ts';
import { logLines, requestId } from '#server/plugins/request-log.ts';
import { closeUnread, unreadableRequest, unreadableUrl } from '#server/plugins/unread-requests.ts';
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
