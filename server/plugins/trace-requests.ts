import type { IncomingHttpHeaders } from 'node:http';
import { context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { tracer } from '#server/tracing/traced.ts';
import { isOpen } from './open-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request has no trace. */
    span: Span | null;
  }
}

/**
 * Traces requests to routes that are the same for everyone: pattern, method, status, and times.
 * Like the metrics, traces contain nothing about any account, and nothing that a caller sends.
 */
export function traceRequests(
  app: FastifyInstance,
  hasJustWritten: (headers: IncomingHttpHeaders) => boolean,
): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request;
    const isPublic = isOpen({ method, config: routeOptions.config });
    // Cached responses are sent untraced, except to clients that have just written something.
    if (!isPublic || hasJustWritten(request.headers)) return done();
    const route = routeOptions.url ?? '';
    const span = tracer().startSpan(`${method} ${route}`, {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    request.span = span;
    context.with(trace.setSpan(context.active(), span), done);
  });
  app.addHook('onResponse', async ({ span }, reply) => {
    span?.setAttribute('http.response.status_code', reply.statusCode).end();
  });
}
