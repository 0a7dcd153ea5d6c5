import type { Meter } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
} from '@opentelemetry/sdk-metrics';
import { errorWithoutText } from '#server/anonymity/redaction.ts';
import type { Config } from '#server/config/config.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { createApp } from '#server/http/create-app.ts';
import { problemDetails } from '#server/plugins/problem-details.ts';
import { securityHeaders } from '#server/plugins/security-headers.ts';

/**
 * Reads the instruments on demand. The SDK repeats the last values of gauges that are no longer
 * observed, except with delta temporality. Gauges themselves have no temporality.
 */
class ScrapeReader extends MetricReader {
  constructor() {
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE
          ? AggregationTemporality.DELTA
          : AggregationTemporality.CUMULATIVE,
    });
  }
  protected override async onShutdown() {}
  protected override async onForceFlush() {}
}

interface Scraper {
  readonly meter: Meter;
  /** All metrics in Prometheus text format, and the errors of those that could not be read. */
  scrape(): Promise<{ text: string; errors: unknown[] }>;
}

export function openScraper(): Scraper {
  const reader = new ScrapeReader();
  const provider = new MeterProvider({ readers: [reader] });
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  return {
    meter: provider.getMeter('curbside'),
    async scrape() {
      const { resourceMetrics, errors } = await reader.collect();
      return { text: `${serializer.serialize(resourceMetrics)}\n`, errors };
    },
  };
}

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
