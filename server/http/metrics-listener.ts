import { errorWithoutText } from '#server/anonymity/redaction.ts';
import type { Config } from '#server/config/config.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import type { Scraper } from '#server/metrics/scrape.ts';
import { problemDetails } from '#server/plugins/problem-details.ts';
import { securityHeaders } from '#server/plugins/security-headers.ts';
import { createApp } from './create-app.ts';

type Settings = Pick<Config, 'metricsHost' | 'metricsPort'>;

/** Each process has its own numbers, and so its own port: `METRICS_PORT` plus its index. */
const portOf = ({ metricsPort }: Settings, index: number) => (metricsPort ?? 0) + index;

/**
 * Serves `/metrics` on its own port. `index` numbers a server's processes from 0. Returns a
 * function that closes it.
 */
export async function listenForMetrics(
  config: Config,
  { scrape }: Pick<Scraper, 'scrape'>,
  index = 0,
  logTo?: (line: string) => void,
): Promise<() => Promise<void>> {
  const app = createApp(config, logTo);
  problemDetails(app);
  await securityHeaders(app);
  app.get('/metrics', async (_request, reply) => {
    const { text, errors } = await scrape();
    for (const error of errors) {
      app.log.warn({ error: errorWithoutText(error) }, 'a metric could not be read');
    }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
  const [host, port] = [config.metricsHost, portOf(config, index)];
  try {
    // Not shared with the other processes (node:cluster), which have their own numbers.
    await app.listen({ host, port, exclusive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL') throw error;
    const what = code === 'EADDRINUSE' ? 'is in use' : 'is not an address of this machine';
    throw new OperatorError(`${host}:${port} ${what}: change METRICS_PORT or METRICS_HOST`);
  }
  return () => app.close();
}
