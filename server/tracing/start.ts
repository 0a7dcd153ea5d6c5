import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { TIME_OUTS } from '#server/time-outs.ts';

type Traces = NonNullable<Config['traces']>;

/** A collector that is down would otherwise be reported every few seconds. */
const SAME_ERROR_MS = 60_000;

/**
 * Sends a share of the traces to a collector (OTLP over HTTP, as JSON). Without this, nothing is
 * traced. Returns a function that sends the rest and stops.
 */
export function startTracing(
  { endpoint, ratio }: Traces,
  log: Pick<FastifyBaseLogger, 'warn'>,
  exporter: SpanExporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: TIME_OUTS.traceExport.ms,
  }),
): () => Promise<void> {
  const report = reporter(log);
  const ignore = () => {};
  diag.setLogger(
    { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    // Not the default, which reads the names of the machine and of processes.
    resource: resourceFromAttributes({ 'service.name': 'curbside' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, exportTimeoutMillis: TIME_OUTS.traceExport.ms }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  return async () => {
    // A collector that is down must not prevent the server from stopping.
    await provider.shutdown().catch(report);
    trace.disable();
    context.disable();
    diag.disable();
  };
}

/** The errors' text is not logged: it may quote what the collector returned. */
function reporter(log: Pick<FastifyBaseLogger, 'warn'>): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < SAME_ERROR_MS) return;
    last = performance.now();
    log.warn('traces cannot be sent: check OTEL_EXPORTER_OTLP_ENDPOINT');
  };
}
