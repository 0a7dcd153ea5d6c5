import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { devRoutes } from './features/dev/routes.ts';
import type { Outbox } from './mail/outbox.ts';
import { OperatorError } from './operator-error.ts';
import { problemDetails } from './plugins/problem-details.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import { validation } from './plugins/validation.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Serves `/dev/` on a loopback port of its own, for a demo on the network (`DEMO_ON_NETWORK=yes`).
 * Returns a function that closes it.
 */
export async function listenForDev(
  config: Config,
  port: number,
  outbox: Outbox,
): Promise<() => Promise<void>> {
  const app = createApp(config);
  validation(app);
  problemDetails(app);
  await securityHeaders(app);
  await app.register(devRoutes({ outbox }));
  try {
    await app.listen({ port, host: LOOPBACK });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new OperatorError(`${LOOPBACK}:${port} is in use: set DEV_PORT to another port`);
  }
  return () => app.close();
}
