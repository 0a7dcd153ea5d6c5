import type { FastifyInstance } from 'fastify';
import type { AccountLimit } from '#server/rate-limits/limits.ts';
import { keyedQueue, type RateLimits } from '#server/rate-limits/rate-limits.ts';
import { SAFE_METHODS } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The per-account limit that each call counts toward, instead of `write`. */
    rateLimit?: AccountLimit;
  }
}

/**
 * Limits writes per account only: counting network addresses could link a review to its author.
 * Invalid input does not count.
 */
export function limitWrites(app: FastifyInstance, limits: RateLimits) {
  app.addHook('preHandler', async ({ method, caller, routeOptions }) => {
    if (!caller || SAFE_METHODS.has(method)) return;
    await limits.take(routeOptions.config.rateLimit ?? 'write', caller.author.writer);
  });
}

/** Database connections that the requests of one account may use at once. */
const CONCURRENT_WRITES = 4;

/**
 * Queues concurrent writes by one account. They may block each other in the database (a vote while
 * reviews are being locked), and each would hold a connection. A client that disconnects does not
 * free its slot.
 */
export function queueWrites(app: FastifyInstance) {
  const enqueue = keyedQueue(CONCURRENT_WRITES);
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => SAFE_METHODS.has(method))) return;
    const { handler } = route;
    route.handler = function handleQueued(request, reply) {
      const work = async () => handler.call(this, request, reply);
      return request.caller ? enqueue(request.caller.userId, work) : work();
    };
  });
}
