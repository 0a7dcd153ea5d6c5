interface Metric {
  readonly kind: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly shows: string;
}

/**
 * Published immediately. None of these counts what accounts do, or changes with it
 * (docs/anonymity.md, "Metrics and traces").
 */
const AT_ONCE = {
  curbside_build_info: {
    kind: 'gauge',
    labels: ['version', 'node'],
    shows: 'Always 1. The version of Curbside and of Node.js.',
  },
  curbside_http_request_duration_seconds: {
    kind: 'histogram',
    labels: ['route', 'status'],
    shows:
      'Requests for public pages and lists, by route pattern and status class. Durations are rounded down to 10 ms.',
  },
  curbside_http_server_errors_total: {
    kind: 'counter',
    labels: [],
    shows: 'Responses with status 500 and above, all routes combined.',
  },
  curbside_event_loop_delay_seconds: {
    kind: 'gauge',
    labels: ['measure'],
    shows: 'Event loop delay since the last scrape, `p99` and `max`, rounded down to 10 ms.',
  },
  curbside_render_queue_length: {
    kind: 'gauge',
    labels: [],
    shows: 'Pages waiting to be rendered. The 31st gets a 503.',
  },
  curbside_cache_max_bytes: {
    kind: 'gauge',
    labels: ['cache'],
    shows: 'Peak size of the cache of `responses` or `values` today (UTC), in full MiB.',
  },
  curbside_cache_limit_bytes: {
    kind: 'gauge',
    labels: ['cache'],
    shows: 'The size at which the cache evicts entries.',
  },
  curbside_cache_listening: {
    kind: 'gauge',
    labels: [],
    shows:
      '1 if this server receives change notifications. Otherwise 0, and it caches nothing new.',
  },
  curbside_db_up: {
    kind: 'gauge',
    labels: [],
    shows: '1 if the database responds within 3 s, otherwise 0.',
  },
  curbside_db_connections: {
    kind: 'gauge',
    labels: ['pool', 'state'],
    shows:
      'Connections of `requests`, `background`, and each replica (`replica_1`): `total` and `idle`, rounded down to a multiple of 4.',
  },
  curbside_db_connections_waiting: {
    kind: 'gauge',
    labels: ['pool'],
    shows: 'Callers waiting for a connection.',
  },
  curbside_db_connections_limit: {
    kind: 'gauge',
    labels: ['pool'],
    shows: 'The maximum number of connections in the pool.',
  },
  curbside_replication_standbys: {
    kind: 'gauge',
    labels: [],
    shows: 'Standbys that stream from the database, if it is a primary.',
  },
  curbside_replication_lag_seconds: {
    kind: 'gauge',
    labels: ['standby'],
    shows: 'How far a standby is behind, in whole seconds. Needs the role `pg_monitor`.',
  },
  curbside_job_overdue_seconds: {
    kind: 'gauge',
    labels: ['queue'],
    shows: 'How long the oldest due job has been waiting. For account jobs, in full clock hours.',
  },
  curbside_jobs_given_up_total: {
    kind: 'counter',
    labels: ['queue'],
    shows: 'Scheduled jobs that failed on every attempt.',
  },
  curbside_mail_up: {
    kind: 'gauge',
    labels: [],
    shows:
      '1 if the SMTP server accepted a connection and our login in the last check, otherwise 0.',
  },
  curbside_backup_age_seconds: {
    kind: 'gauge',
    labels: [],
    shows: 'Time since the last backup finished (`DATA_DIR/last-backup.json`).',
  },
  curbside_inventory_age_seconds: {
    kind: 'gauge',
    labels: [],
    shows: 'Time since the last inventory finished (`DATA_DIR/last-inventory.json`).',
  },
  curbside_day_timestamp_seconds: {
    kind: 'gauge',
    labels: [],
    shows: 'The start of the day that the `curbside_day_` metrics cover.',
  },
} as const satisfies Record<string, Metric>;

/** Published after the UTC day ends (server/anonymity/day-counts.ts). */
const BY_THE_DAY = {
  curbside_day_requests: {
    kind: 'gauge',
    labels: ['method', 'route', 'status'],
    shows: 'Requests to all other routes: sign-ups, logins, reviews, votes, reports, the office.',
  },
  curbside_day_jobs: {
    kind: 'gauge',
    labels: ['queue', 'outcome'],
    shows: 'Job attempts: `done`, `failed` (will be retried), `given_up`.',
  },
  curbside_day_mails: {
    kind: 'gauge',
    labels: ['outcome'],
    shows: 'Attempts to send mail: `sent`, `refused` by the recipient, `failed`.',
  },
  curbside_day_registry_checks: {
    kind: 'gauge',
    labels: ['outcome'],
    shows: 'NPI checks: `passed`, `not_passed`, `unavailable`.',
  },
  curbside_day_cache_reads: {
    kind: 'gauge',
    labels: ['cache', 'result'],
    shows: 'Cache reads: `hit` or `miss`. A vote causes misses.',
  },
} as const satisfies Record<string, Metric>;

type GaugeIn<T> = { [N in keyof T]: T[N] extends { kind: 'gauge' } ? N : never }[keyof T];

export type GaugeAtOnce = GaugeIn<typeof AT_ONCE>;
export type DayMetric = keyof typeof BY_THE_DAY;

/** Every metric of the server. */
export const METRICS: Readonly<Record<GaugeAtOnce | DayMetric | keyof typeof AT_ONCE, Metric>> = {
  ...AT_ONCE,
  ...BY_THE_DAY,
};

export const DAY_METRICS = Object.keys(BY_THE_DAY) as DayMetric[];
