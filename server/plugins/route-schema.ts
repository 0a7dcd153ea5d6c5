import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { SAFE_METHODS } from './safe-methods.ts';

/** The refusals a route may answer, for its declared answers: all are problem details. */
export function refusals<Status extends number>(...statuses: Status[]) {
  return Object.fromEntries(statuses.map((status) => [status, Problem])) as Record<
    Status,
    typeof Problem
  >;
}

/** Adds to each route's declared answers those that no route decides upon itself. */
export function commonRefusals(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    if (!schema?.response) return;
    const isUnsafe = [route.method].flat().some((method) => !SAFE_METHODS.has(method));
    // Cross-site, too large, not JSON, too often; failed, or too busy.
    const common = isUnsafe ? refusals(403, 413, 415, 429, 500, 503) : refusals(429, 500, 503);
    schema.response = { ...common, ...schema.response };
  });
}
