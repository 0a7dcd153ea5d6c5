import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { canonicalUrl } from '#server/plugins/canonical-url.ts';
import { answerLog, requestId } from '#server/plugins/request-log.ts';
import { hasOneHost } from '#server/plugins/unread-requests.ts';
import { Answer } from './cached-response.ts';
import type { FreshCache, Topic } from './topic-cache.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What a public GET makes its answers from, and from nothing else but its URL: who asks is not
     * looked at. Its answers are kept until one of these changes. Other routes' answers never are.
     */
    madeFrom?: readonly Topic[];
  }
}

type Answers = FreshCache<Answer>;

/** Keeps the answers of routes that say what these are made from, and makes each once. */
export function publicAnswers(app: FastifyInstance, answers: Answers) {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.madeFrom) reply.header('cache-control', 'no-store');
  });
  app.addHook('onRoute', (route) => {
    const topics = route.config?.madeFrom;
    if (!topics) return;
    // What is kept goes out before anyone has asked who is calling, and how often.
    if (route.config?.access !== 'public' || route.config.rateLimit) {
      throw new Error(`${route.url} keeps its answers, and is not for everyone at any time`);
    }
    const { handler } = route;
    route.handler = async function (request, reply) {
      const answer = await answers.remember(request.url, topics, async () =>
        finish(request, reply, await handler.call(this, request, reply)),
      );
      const form = await answer.form(request.headers['accept-encoding']);
      const { status, headers, body } = form.replyTo(request.headers['if-none-match']);
      return reply.code(status).headers(headers).send(body);
    };
    if (route.schema?.response) route.schema.response = { 304: z.null(), ...route.schema.response };
  });
}

/** What a handler returned, with all that the hooks before it have put into its head. */
function finish(request: FastifyRequest, reply: FastifyReply, made: unknown): Answer {
  const { 'x-request-id': _, ...headers } = reply.getHeaders();
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Answer({
    route: request.routeOptions.url ?? '',
    status: reply.statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', ...Object.fromEntries(texts) },
    body: Buffer.isBuffer(made) ? made : Buffer.from(JSON.stringify(made)),
  });
}

/**
 * Sends what is kept before Fastify hears of the request (docs/decisions/0005).
 * What must hold for these answers too is done here: id, log line, and none while closing.
 */
export function answerAhead(app: FastifyInstance, answers: Answers) {
  const logAnswer = answerLog(app);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method = '', url = '', headers } = request;
    if (isClosing || (method !== 'GET' && method !== 'HEAD') || !hasOneHost(request)) return false;
    const kept = answers.find(url) ?? answers.find(canonicalUrl(url));
    const form = kept?.form(headers['accept-encoding']);
    // Fastify waits for what is being compressed.
    if (!kept || !form || form instanceof Promise) return false;
    const reqId = requestId(request);
    const { status, head, body } = form.replyTo(headers['if-none-match']);
    response.writeHead(status, [...head, 'x-request-id', reqId]).end(body);
    logAnswer({ reqId, method, route: kept.route, status, ms: 0 });
    return true;
  };

  const { server } = app;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (answer(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}
