import type { Server } from 'node:http';
import type { Socket } from 'node:net';
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

/** What a process opens besides its connections: database connections, files, the log. */
const OTHER_DESCRIPTORS = 100;
const CONNECTIONS_MIN = 50;

/** How many files this process may have open (its soft limit), or null if there is no limit. */
export function openFilesLimit(): number | null {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/**
 * Keeps enough descriptors for the database and for files, because a process without any cannot
 * even answer. Near the limit, a new connection replaces the one that has been idle longest.
 */
export function limitConnections(server: Server, openFiles = openFilesLimit()) {
  if (openFiles === null) return;
  const most = Math.max(openFiles - OTHER_DESCRIPTORS, CONNECTIONS_MIN);
  server.maxConnections = most;
  const open = new Set<Socket>();
  /** Connections without a request, longest idle first. */
  const idle = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const [oldest] = idle;
    // One place stays free, because Node refuses a connection beyond the maximum before this event.
    if (open.size >= most - 1) oldest?.destroy();
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
  });
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}
