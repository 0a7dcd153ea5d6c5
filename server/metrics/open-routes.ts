import type { FastifyInstance, RouteOptions } from 'fastify';
import { SAFE_METHODS } from '#server/plugins/route.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Although public, people load it on the way to what only accounts do: signing up, logging in,
     * writing a review. Its requests are counted like these, by the day.
     */
    precedesActs?: boolean;
  }
}

/** An answer to a request from outside. */
export interface Answered {
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/**
 * Whether the requests of a route may be counted, timed, and traced at once: if everyone reads the
 * same there, so that they show nothing of any account. All other routes are counted by the day.
 */
export function isOpen({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean {
  return (
    config?.access === 'public' &&
    config.madeFrom !== undefined &&
    config.precedesActs !== true &&
    [method].flat().every((one) => SAFE_METHODS.has(one))
  );
}

/** Counts the answers of all routes registered after it. Returns the function to report them to. */
export function countRequests(
  app: FastifyInstance,
  metrics: Metrics,
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

/** How many found reviews *not* helpful never leaves the server. */
const withoutVote = (route: string) => route.replace('/not-helpful/', '/helpful/');
