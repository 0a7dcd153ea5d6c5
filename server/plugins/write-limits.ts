import type { FastifyInstance } from 'fastify';
import type { AccountLimit } from '#server/rate-limits/limits.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { SAFE_METHODS } from './safe-methods.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit that each call of the route takes from, per account, instead of `write`. */
    rateLimit?: AccountLimit;
  }
}

/**
 * Limits what accounts write, by account alone: a network address that is counted when a review
 * is written could tell who wrote it. What does not parse costs nothing.
 */
export function limitWrites(app: FastifyInstance, limits: RateLimits) {
  app.addHook('preHandler', async ({ method, caller, routeOptions }) => {
    if (!caller || SAFE_METHODS.has(method)) return;
    await limits.take(routeOptions.config.rateLimit ?? 'write', caller.author.writer);
  });
}
