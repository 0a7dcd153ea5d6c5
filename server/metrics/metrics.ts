import type { Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api';
import { DayCounts, type Labels, type Reading, roundDown } from '#server/anonymity/day-counts.ts';
import type { CacheName } from '#server/cache/public-cache.ts';
import { JOB_SETTINGS, type JobName, type JobOutcome } from '#server/jobs/settings.ts';
import { DAY_METRICS, type DayMetric, type GaugeAtOnce, METRICS } from './table.ts';

/** A page takes at most 10 s. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const STEP_MS = 10;

type Readings = Partial<Record<GaugeAtOnce, readonly Reading[]>>;
type Named = readonly (readonly [name: string, readings: readonly Reading[]])[];

/** The instruments for the metrics in table.ts. */
export class Metrics {
  readonly #meter: Meter;
  readonly #days: DayCounts;
  readonly #gauges: ReadonlyMap<string, ObservableGauge>;
  readonly #requests: Histogram;
  readonly #serverErrors: Counter;
  readonly #givenUp: Counter;

  constructor(meter: Meter, clock: () => Date) {
    this.#meter = meter;
    this.#days = new DayCounts(clock);
    const gauges = Object.entries(METRICS).filter(([, { kind }]) => kind === 'gauge');
    this.#gauges = new Map(
      gauges.map(([name, { shows }]) => [
        name,
        meter.createObservableGauge(name, { description: shows }),
      ]),
    );
    const requests = 'curbside_http_request_duration_seconds';
    this.#requests = meter.createHistogram(requests, {
      description: METRICS[requests].shows,
      advice: { explicitBucketBoundaries: SECONDS },
    });
    const counter = (
      name: 'curbside_http_server_errors_total' | 'curbside_jobs_given_up_total',
    ): Counter => meter.createCounter(name, { description: METRICS[name].shows });
    this.#serverErrors = counter('curbside_http_server_errors_total');
    this.#givenUp = counter('curbside_jobs_given_up_total');
    this.#serverErrors.add(0);
    this.#observeDays();
  }

  /** Adds gauges that are read at each scrape. */
  observe(read: () => Readings | Promise<Readings>): void {
    this.#observe(async () => Object.entries(await read()));
  }

  /** Counts until the end of the UTC day. Only then is the number published. */
  countByDay(name: DayMetric, labels: Labels): void {
    this.#days.add(name, labels);
  }

  /**
   * Counts a request to a route that is the same for everyone (open-routes.ts). Its duration is
   * rounded, because a cached response takes longer for clients that have just written something.
   */
  requestOfAll(route: string, status: string, ms: number): void {
    this.#requests.record(roundDown(ms, STEP_MS) / 1000, { route, status });
  }

  readonly cacheRead = (cache: CacheName, isHit: boolean): void =>
    this.countByDay('curbside_day_cache_reads', { cache, result: isHit ? 'hit' : 'miss' });

  serverError(): void {
    this.#serverErrors.add(1);
  }

  /** Counts a job attempt: immediately only if it failed for good and no request enqueued it. */
  readonly jobEnded = (queue: JobName, outcome: JobOutcome): void => {
    this.countByDay('curbside_day_jobs', { queue, outcome });
    if (outcome === 'given_up' && JOB_SETTINGS[queue].schedule) this.#givenUp.add(1, { queue });
  };

  #observeDays(): void {
    this.#observe(() => {
      const day = Date.parse(this.#days.shownDay) / 1000;
      return [
        ['curbside_day_timestamp_seconds', [{ value: day }]],
        ...DAY_METRICS.map((name) => [name, this.#days.shown(name)] as const),
      ];
    });
  }

  #observe(read: () => Named | Promise<Named>): void {
    this.#meter.addBatchObservableCallback(
      async (result) => {
        for (const [name, readings] of await read()) {
          const gauge = this.#gauges.get(name);
          for (const { value, labels } of readings) if (gauge) result.observe(gauge, value, labels);
        }
      },
      [...this.#gauges.values()],
    );
  }
}
