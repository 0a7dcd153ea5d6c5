import { setImmediate } from 'node:timers/promises';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '#server/app-error.ts';
import type { Config } from '#server/config.ts';

/**
 * Refuses with `unavailable` as long as the event loop turns slowly, instead of letting everyone
 * wait. The average of the last second rises with a single stall too, such as the one of starting
 * up, and to infinity when it was longer than the second: so whoever would be refused by it is, if
 * the next turn is slow as well.
 */
export async function loadShedding(
  app: FastifyInstance,
  { maxEventLoopDelayMs }: Pick<Config, 'maxEventLoopDelayMs'>,
) {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    exposeStatusRoute: false,
    async pressureHandler() {
      const before = performance.now();
      // To the end of this turn, and then of a whole one.
      await setImmediate();
      await setImmediate();
      if (performance.now() - before <= maxEventLoopDelayMs) return;
      throw unavailable();
    },
  });
}
