import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Topic } from '#server/db/topics.ts';
import type { Answered } from '#server/plugins/open-routes.ts';
import { hasOneHost } from '#server/plugins/refused-requests.ts';
import { answerLog, requestId } from '#server/plugins/request-log.ts';
import { CachedResponse } from './cached-response.ts';
import { canonicalUrl } from './canonical-url.ts';
import { mayHavePosition } from './read-your-writes.ts';
import type { TopicCache } from './topic-cache.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The topics that a public GET's responses depend on, besides the URL. They must not depend on
     * the caller. They are cached until one of the topics changes.
     */
    madeFrom?: readonly Topic[];
  }
}

type Responses = TopicCache<CachedResponse>;

/**
 * Caches the responses of routes that declare `madeFrom`; concurrent requests share one
 * computation.
 */
export function cacheResponses(app: FastifyInstance, responses: Responses) {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.madeFrom) reply.header('cache-control', 'no-store');
  });
  app.addHook('onRoute', (route) => {
    const topics = route.config?.madeFrom;
    if (!topics) return;
    // A cached response is sent without access checks and rate limits.
    if (route.config?.access !== 'public' || route.config.rateLimit) {
      throw new Error(
        `${route.url} caches its responses, so it must be public and without a rate limit`,
      );
    }
    const { handler } = route;
    route.handler = async function (request, reply) {
      const response = await responses.remember(request.url, topics, async () =>
        finish(request, reply, await handler.call(this, request, reply)),
      );
      const representation = await response.representation(request.headers['accept-encoding']);
      const { status, headers, body } = representation.replyTo(request.headers['if-none-match']);
      return reply.code(status).headers(headers).send(body);
    };
    if (route.schema?.response) route.schema.response = { 304: z.null(), ...route.schema.response };
  });
}

/** Combines a handler's result with the headers that hooks have set. */
function finish(request: FastifyRequest, reply: FastifyReply, made: unknown): CachedResponse {
  const { 'x-request-id': _, ...headers } = reply.getHeaders();
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new CachedResponse({
    route: request.routeOptions.url ?? '',
    status: reply.statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', ...Object.fromEntries(texts) },
    body: Buffer.isBuffer(made) ? made : Buffer.from(JSON.stringify(made)),
  });
}

/**
 * Sends cached responses without going through Fastify (docs/decisions/0005), with a request id and
 * a log line. Not while the server is stopping: then Fastify closes each connection after its
 * response.
 */
export function sendAhead(
  app: FastifyInstance,
  responses: Responses,
  onAnswer: (answered: Answered) => void,
) {
  const logAnswer = answerLog(app);

  const send = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method = '', url = '', headers } = request;
    if (app.isStopping() || (method !== 'GET' && method !== 'HEAD') || !hasOneHost(request)) {
      return false;
    }
    if (mayHavePosition(headers)) return false;
    const cached = responses.find(url) ?? responses.find(canonicalUrl(url));
    const representation = cached?.representation(headers['accept-encoding']);
    // Fastify handles responses that are still being compressed.
    if (!cached || !representation || representation instanceof Promise) return false;
    const reqId = requestId(request);
    const { status, rawHeaders, body } = representation.replyTo(headers['if-none-match']);
    response.writeHead(status, [...rawHeaders, 'x-request-id', reqId]).end(body);
    const answered = { method, route: cached.route, status, ms: 0 };
    logAnswer({ reqId, ...answered });
    onAnswer(answered);
    return true;
  };

  const { server } = app;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (send(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}
