import { setTimeout as pause } from 'node:timers/promises';

/**
 * All timeouts in milliseconds, and what happens after each. If the database times out, the request
 * fails with 503 `unavailable` and `Retry-After`.
 */
export const TIME_OUTS = {
  request: { ms: 30_000, limits: 'A client sending one request: its connection is closed.' },
  connection: { ms: 10_000, limits: 'A request waiting for a database connection: 503.' },
  replica: {
    ms: 1000,
    limits: 'A public read waiting for a connection to a replica: it uses the primary.',
  },
  backgroundConnection: {
    ms: 10_000,
    limits:
      'A starting server, a job, or a command waiting for a database connection: a retry or an error.',
  },
  notifications: {
    ms: 5000,
    limits:
      'Checking the connection that notifications arrive on, every 10 seconds: it is replaced.',
  },
  writePosition: {
    ms: 500,
    limits: 'A response waiting for the position of its write: its author bypasses the caches.',
  },
  statement: { ms: 15_000, limits: 'One SQL statement of a request: 503.' },
  answer: {
    ms: 18_000,
    limits: 'A request to a database that does not even cancel its statement: 503.',
  },
  lock: { ms: 10_000, limits: 'A request waiting for one lock in the database: 503.' },
  idleTransaction: {
    ms: 15_000,
    limits: 'A transaction of a request between two statements: rolled back, 503.',
  },
  databaseStart: {
    ms: 60_000,
    limits: 'A starting server waiting for the database to exist and accept writes: it gives up.',
  },
  databaseAnswer: {
    ms: 5000,
    limits: 'A starting server waiting for a response on a new connection: it retries.',
  },
  databaseStop: {
    ms: 5000,
    limits: 'Stopping the job queue, and closing database connections: the process ends.',
  },
  tableLock: {
    ms: 500,
    limits: 'A migration or the nightly rewrite waiting for one lock: it retries.',
  },
  smtpConnection: { ms: 10_000, limits: 'Connecting to the SMTP server: the mail is retried.' },
  smtpGreeting: { ms: 10_000, limits: 'The SMTP greeting: the mail is retried.' },
  smtpSocket: { ms: 30_000, limits: 'No data from the SMTP server: the mail is retried.' },
  render: { ms: 10_000, limits: 'Rendering one page, including its API calls: 503.' },
  keepAlive: { ms: 72_000, limits: 'An idle connection between two requests: closed.' },
  keptAnswer: {
    ms: 60_000,
    limits: 'A cache entry whose change notification was missed: recomputed.',
  },
  requestsStop: {
    ms: 15_000,
    limits: 'Requests still open while the server stops: their connections are closed.',
  },
  jobsStop: { ms: 20_000, limits: 'Jobs still running while the server stops: retried later.' },
  embeddedStart: {
    ms: 60_000,
    limits:
      'A starting server waiting for another one to start on the same data folder: it gives up.',
  },
  embeddedStop: {
    ms: 25_000,
    limits: 'A stopping server waiting for another start or stop: it leaves the database running.',
  },
  embeddedConnection: { ms: 3000, limits: 'Checking whether the embedded PostgreSQL is up.' },
  embeddedSilence: {
    ms: 15_000,
    limits: 'A starting embedded PostgreSQL that prints nothing: an error.',
  },
  embeddedRecovery: {
    ms: 120_000,
    limits: 'An embedded PostgreSQL recovering from a crash: an error.',
  },
  npiRegistry: { ms: 10_000, limits: 'Waiting for the NPI registry: the check is retried.' },
  metrics: {
    ms: 3000,
    limits: 'Reading the database state for one scrape: the metrics show it as down.',
  },
  traceExport: {
    ms: 5000,
    limits: 'Sending traces to the collector: they are dropped.',
  },
  registryLock: { ms: 2000, limits: 'A registry import waiting for another one: it gives up.' },
} as const satisfies Record<string, { ms: number; limits: string }>;

/** The `Retry-After` of a 503 without a better estimate. */
export const RETRY_AFTER_S = 10;

/** Waits for work, but not longer than `ms`: then the result is undefined, and the work goes on. */
export const within = <T>(work: Promise<T>, ms: number): Promise<T | undefined> =>
  Promise.race([work, pause(ms, undefined, { ref: false })]);
