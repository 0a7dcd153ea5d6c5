import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Reading, roundDown } from '#server/anonymity/day-counts.ts';
import type { Connections } from '#server/db/open.ts';
import type { JobName } from '#server/jobs/payloads.ts';
import { JOB_NAMES } from '#server/jobs/settings.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
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
