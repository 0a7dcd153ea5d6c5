import type { IncomingHttpHeaders } from 'node:http';
import { context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { tracer } from '#server/tracing/traced.ts';
import { SAFE_METHODS } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Although the route is public, people load it just before doing what only accounts do: signing
     * up, logging in, writing a review. Its requests are counted by day, like those.
     */
    precedesActs?: boolean;
  }
}

/** A response to an external request. */
export interface Answered {
  readonly method: string;
  /** The route's pattern. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/**
 * Whether a route's requests may be counted, timed, and traced immediately: only if it is the same
 * for everyone, so that they reveal nothing about any account. All other routes are counted by day.
 */
export function isOpen({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean {
  return (
    config?.access === 'public' &&
    config.madeFrom !== undefined &&
    config.precedesActs !== true &&
    [method].flat().every((one) => SAFE_METHODS.has(one))
  );
}

/** Where requests are counted: at once, or by day. */
interface RequestCounts {
  serverError(): void;
  requestOfAll(route: string, statusClass: string, ms: number): void;
  countByDay(name: 'curbside_day_requests', labels: Readonly<Record<string, string>>): void;
}

/** Counts the responses of all routes registered after it. Returns the function to report them to. */
export function countRequests(
  app: FastifyInstance,
  metrics: RequestCounts,
): (answered: Answered) => void {
  const open = new Set<string>();
  app.addHook('onRoute', (route) => {
    if (isOpen(route)) open.add(route.url);
  });
  return ({ method, route, status, ms }) => {
    if (status >= 500) metrics.serverError();
    const statusClass = `${Math.floor(status / 100)}xx`;
    if (SAFE_METHODS.has(method) && open.has(route)) {
      metrics.requestOfAll(route, statusClass, ms);
      return;
    }
    metrics.countByDay('curbside_day_requests', {
      method,
      route: withoutVote(route),
      status: statusClass,
    });
  };
}

/** The number of "not helpful" votes never leaves the server. */
const withoutVote = (route: string) => route.replace('/not-helpful/', '/helpful/');

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
