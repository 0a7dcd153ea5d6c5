import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { DayMaximum, type Reading, roundDown } from '#server/anonymity/day-counts.ts';
import type { CacheState } from '#server/cache/public-cache.ts';
import type { Config } from '#server/config/config.ts';
import type { Connections, Database } from '#server/db/open.ts';
import { ageOfLast } from '#server/files/last-backup.ts';
import { JOB_NAMES, type JobName } from '#server/jobs/settings.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { Metrics } from './metrics.ts';

/** No request enqueues these, so their waiting time reveals nothing about any account. */
const BY_CLOCK: readonly JobName[] = [
  'weekly-mail',
  'staff-digest',
  'reviews-due',
  'retention',
  'refresh-titles',
];
const HOUR_S = 3600;

/** Reads the database's state on each scrape. If that takes too long, it counts as down. */
export function observeDatabase(
  metrics: Metrics,
  { pool }: Pick<Connections, 'pool'>,
  timeoutMs: number = TIME_OUTS.metrics.ms,
): void {
  let reading: Promise<Sample> | undefined;
  const read = () => {
    // A scrape never sends another query while an earlier one is pending.
    reading ??= sample(pool).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  metrics.observe(async () => {
    const late = pause(timeoutMs, null, { ref: false });
    const found = await Promise.race([read(), late]).catch(() => null);
    if (!found) return { curbside_db_up: [{ value: 0 }] };
    return {
      curbside_db_up: [{ value: 1 }],
      ...replication(found.standbys),
      curbside_job_overdue_seconds: overdue(found),
    };
  });
}

interface Standby {
  readonly name: string | null;
  readonly streaming: boolean | null;
  readonly lag: number | null;
}

interface Sample {
  /** Null on a standby. */
  readonly standbys: readonly Standby[] | null;
  /** Times in seconds since 1970. */
  readonly due: ReadonlyMap<string, number>;
  readonly now: number;
}

async function sample(pool: pg.Pool): Promise<Sample> {
  const { rows } = await pool.query<{ now: number; standbys: Standby[] | null }>(STATE);
  const { rows: due } = await pool.query<{ queue: string; since: number }>(DUE, [JOB_NAMES]);
  const [state] = rows;
  if (!state) throw new Error('the database returned nothing');
  return { ...state, due: new Map(due.map(({ queue, since }) => [queue, since])) };
}

/** Without the role `pg_monitor`, only the number of rows is visible, and all columns are null. */
const STATE = `select extract(epoch from now())::float8 as now,
  case when not pg_is_in_recovery() then (
    select coalesce(json_agg(json_build_object(
      'name', application_name,
      'streaming', state = 'streaming',
      'lag', extract(epoch from replay_lag))), '[]')
    from pg_stat_replication
  ) end as standbys`;

const DUE = `select name as queue, extract(epoch from min(start_after))::float8 as since
  from pgboss.job
  where name = any ($1) and state in ('created', 'retry') and start_after <= now()
  group by name`;

/** A backup in progress is also a row, but does not stream. An idle standby has no lag. */
function replication(standbys: Sample['standbys']) {
  if (standbys === null) return {};
  const streaming = standbys.filter((standby) => standby.streaming !== false);
  const lags = new Map<string, number>();
  for (const { name, streaming: known, lag } of streaming) {
    if (known === null || name === null) continue;
    lags.set(name, Math.max(lags.get(name) ?? 0, Math.floor(lag ?? 0)));
  }
  return {
    curbside_replication_standbys: [{ value: streaming.length }],
    curbside_replication_lag_seconds: [...lags].map(([standby, value]) => ({
      labels: { standby },
      value,
    })),
  };
}

/** For jobs that requests enqueue, in clock hours: the exact time would reveal the request. */
function overdue({ due, now }: Sample): Reading[] {
  return JOB_NAMES.map((queue) => {
    const since = due.get(queue) ?? now;
    const step = BY_CLOCK.includes(queue) ? 1 : HOUR_S;
    return { labels: { queue }, value: roundDown(now, step) - roundDown(since, step) };
  });
}

interface Server {
  readonly config: Pick<Config, 'dataDir'>;
  readonly database: Database;
  readonly mailer: Mailer;
  readonly clock: Clock;
}

/** Adds the gauges of one server. Nothing is measured before the first scrape. */
export function observeServer(metrics: Metrics, { config, database, mailer, clock }: Server): void {
  const labels = { version: packageJson.version, node: process.versions.node };
  metrics.observe(() => ({ curbside_build_info: [{ labels, value: 1 }] }));
  observeEventLoop(metrics);
  observePools(metrics, database);
  observeDatabase(metrics, database.background);
  if (mailer.verify) observeMail(metrics, () => mailer.verify?.());
  metrics.observe(async () => {
    // `curbside check` reports why the file cannot be read.
    const age = async (kind: 'backup' | 'inventory') => {
      const ms = await ageOfLast(config.dataDir, kind, clock().getTime()).catch(() => null);
      return ms === null ? [] : [{ value: Math.floor(ms / 1000) }];
    };
    return {
      curbside_backup_age_seconds: await age('backup'),
      curbside_inventory_age_seconds: await age('inventory'),
    };
  });
}

const RESOLUTION_MS = 10;

/** Rounded, so that a single request does not show. */
function observeEventLoop(metrics: Metrics): void {
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  metrics.observe(() => {
    if (!delays) {
      delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delays.enable();
    }
    // What it records includes its sampling interval.
    const seconds = (nanoseconds: number) =>
      roundDown(Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS), RESOLUTION_MS) / 1000;
    const p99 = { labels: { measure: 'p99' }, value: seconds(delays.percentile(99)) };
    const max = { labels: { measure: 'max' }, value: seconds(delays.max) };
    delays.reset();
    return { curbside_event_loop_delay_seconds: [p99, max] };
  });
}

/** A single request holds one or two connections. */
const CONNECTIONS_STEP = 4;

/** Replicas are numbered in the order of the setting, because their addresses are private. */
export function observePools(metrics: Metrics, database: Database): void {
  const each: readonly (readonly [pool: string, pg.Pool])[] = [
    ['requests', database.pool],
    ['background', database.background.pool],
    ...database.replicas.pools.map((pool, at) => [`replica_${at + 1}`, pool] as const),
  ];
  const rounded = (value: number) => roundDown(value, CONNECTIONS_STEP);
  metrics.observe(() => ({
    curbside_db_connections: each.flatMap(([pool, { totalCount, idleCount }]) => [
      { labels: { pool, state: 'total' }, value: rounded(totalCount) },
      { labels: { pool, state: 'idle' }, value: rounded(idleCount) },
    ]),
    curbside_db_connections_waiting: each.map(([pool, { waitingCount }]) => ({
      labels: { pool },
      value: waitingCount,
    })),
    curbside_db_connections_limit: each.map(([pool, { options }]) => ({
      labels: { pool },
      value: options.max,
    })),
  }));
}

const MIB = 1024 * 1024;

/** The caches shrink when somebody votes, so only the day's peak size is shown. */
export function observeCaches(metrics: Metrics, state: () => CacheState, clock: Clock): void {
  const largest = {
    responses: new DayMaximum(clock),
    values: new DayMaximum(clock),
  };
  metrics.observe(() => {
    const { isListening, caches } = state();
    const names = ['responses', 'values'] as const;
    return {
      curbside_cache_listening: [{ value: Number(isListening) }],
      curbside_cache_max_bytes: names.map((cache) => ({
        labels: { cache },
        value: roundDown(largest[cache].include(caches[cache].weight), MIB),
      })),
      curbside_cache_limit_bytes: names.map((cache) => ({
        labels: { cache },
        value: caches[cache].capacity,
      })),
    };
  });
}

const MAIL_CHECK_MS = 5 * 60_000;

/**
 * Checks the SMTP server every few minutes while somebody scrapes. Whether mail was sent would show
 * when somebody signed up.
 */
export function observeMail(metrics: Metrics, verify: () => Promise<unknown> | undefined): void {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isUp: boolean | undefined;
  const check = async () => {
    try {
      await verify();
      isUp = true;
    } catch {
      isUp = false;
    }
  };
  metrics.observe(() => {
    if (performance.now() - checkedAt >= MAIL_CHECK_MS) {
      checkedAt = performance.now();
      void check();
    }
    return isUp === undefined ? {} : { curbside_mail_up: [{ value: Number(isUp) }] };
  });
}
