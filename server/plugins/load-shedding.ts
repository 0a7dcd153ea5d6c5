import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { unavailable } from '#server/errors/app-error.ts';

const RESOLUTION_MS = 10;
const SAMPLE_MS = 1000;

/**
 * `refuseIfSlow` is a hook that rejects requests with `unavailable` while the event loop is slow. The
 * average also rises after a single stall, such as startup, so a request is rejected only if the
 * next turn is also slow.
 */
export function loadShedding(
  app: FastifyInstance,
  { maxEventLoopDelayMs }: Pick<Config, 'maxEventLoopDelayMs'>,
) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let averageMs = 0;
  const timer = setInterval(() => {
    // What it records includes its sampling interval.
    averageMs = delays.mean / 1e6 - RESOLUTION_MS;
    delays.reset();
  }, SAMPLE_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  const isSlow = () => maxEventLoopDelayMs > 0 && averageMs > maxEventLoopDelayMs;
  const refuseIfSlow = async () => {
    if (!isSlow()) return;
    const before = performance.now();
    // The first wait ends this turn, and the second one measures a whole turn.
    await setImmediate();
    await setImmediate();
    if (performance.now() - before > maxEventLoopDelayMs) throw unavailable();
  };
  return { isSlow, refuseIfSlow };
}
