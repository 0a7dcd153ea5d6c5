import type { Meter } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
} from '@opentelemetry/sdk-metrics';

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

export interface Scraper {
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
