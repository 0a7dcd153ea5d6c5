import { trace } from '@opentelemetry/api';

export const tracer = () => trace.getTracer('curbside');

/** The parts of a request whose time a trace shows. */
type Part = 'database' | 'render';

/** Times a part of the current trace. Without a trace, just does the work. */
export async function traced<T>(part: Part, work: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return work();
  return tracer().startActiveSpan(part, async (span) => {
    try {
      return await work();
    } finally {
      span.end();
    }
  });
}
