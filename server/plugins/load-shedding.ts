import { setImmediate } from 'node:timers/promises';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '#server/app-error.ts';
import type { Config } from '#server/config.ts';

/**
 * Rejects requests with `unavailable` while the event loop is slow. The average also rises after a
 * single stall, such as startup, so a request is rejected only if the next turn is also slow.
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
      // The first wait ends this turn, and the second one measures a whole turn.
      await setImmediate();
      await setImmediate();
      if (performance.now() - before <= maxEventLoopDelayMs) return;
      throw unavailable();
    },
  });
}
