import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Db as BossDb, fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Keys } from '#server/anonymity/keys.ts';
import { errorWithoutText } from '#server/anonymity/redaction.ts';
import { currentKey, seal, unseal, unsealOrNull } from '#server/anonymity/seal.ts';
import { holdingLock, LOCKS } from '#server/db/advisory-lock.ts';
import { isAway } from '#server/db/errors.ts';
import { listen } from '#server/db/listen.ts';
import type { Connections, Db } from '#server/db/open.ts';
import { inYieldingTransaction } from '#server/db/transaction.ts';
import { TIME_OUTS, within } from '#server/time-outs.ts';
import {
  JOB_NAMES,
  JOB_SETTINGS,
  type Job,
  type JobHandlers,
  type JobName,
  type JobOutcome,
  type JobPayloads,
} from './settings.ts';

export type JobLog = Pick<FastifyBaseLogger, 'warn' | 'error'>;

/** Each worker reports the same error on every poll. It is logged once a minute. */
const SAME_ERROR_MS = 60_000;

/** After this long without a heartbeat from its server, another server takes over a job. */
const HEARTBEAT_SECONDS = 10;

/** Starts pg-boss on our pool, with one queue per kind of job. With `schedule`, cron jobs are enqueued. */
export async function startBoss(pool: pg.Pool, log: JobLog, schedule: boolean): Promise<PgBoss> {
  const outage = watchOutage(log);
  const db: BossDb = {
    async executeSql(text, values) {
      const result = await pool.query(text, values);
      outage.end();
      return result;
    },
    listen: (...args) => listen(pool, ...args),
  };
  const boss = new PgBoss({
    db,
    schema: 'pgboss',
    schedule,
    useListenNotify: true,
    // pg-boss has few jobs, and the database has its own vacuum monitoring.
    monitorVacuum: false,
    // How often to look for jobs whose server died.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 3600,
  });
  logErrors(boss, log, outage);
  // On an empty database, two servers that create the schema at the same time would interfere.
  await holdingLock(pool, LOCKS.start, async (client) => {
    await boss.start();
    // pg-boss already works by now, and locks the same tables in the opposite order.
    await inYieldingTransaction(client, () => keepNoStatistics(client));
    await declareQueues(boss);
  });
  return boss;
}

/**
 * The planner's statistics would keep sealed payloads and times of jobs that are gone. Changing a
 * column's type, even to the same one, removes what it has.
 */
async function keepNoStatistics(client: pg.PoolClient) {
  const { rows } = await client.query<{ changes: string | null }>(
    `select string_agg(format('alter column %1$I type %2$s, alter column %1$I set statistics 0',
       attname, format_type(atttypid, atttypmod)), ', ') as changes
     from pg_attribute
     where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped
       and attname not in ('name', 'state') and coalesce(attstattarget, -1) <> 0`,
  );
  const changes = rows[0]?.changes;
  if (changes) await client.query(`alter table pgboss.job ${changes}`);
}

async function declareQueues(boss: PgBoss) {
  for (const name of JOB_NAMES) {
    const { queue, schedule } = JOB_SETTINGS[name];
    const options = { ...queue, notify: true, heartbeatSeconds: HEARTBEAT_SECONDS };
    // The first call creates a missing queue; the second updates it to this release's options.
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
    if (schedule) await boss.schedule(name, schedule, null, { missed: 'once' });
  }
}

/** Logs when the database is lost, and when it is back. Every worker notices each of them. */
function watchOutage(log: JobLog) {
  let isOut = false;
  return {
    begin({ message }: Error) {
      if (!isOut) log.error(`job queue: lost the database: ${message}`);
      isOut = true;
    },
    end() {
      if (isOut) log.warn('job queue: the database is back');
      isOut = false;
    },
  };
}

function logErrors(boss: PgBoss, log: JobLog, outage: ReturnType<typeof watchOutage>) {
  const logged = new Map<string, number>();
  boss.on('error', (error) => {
    if (isAway(error)) return outage.begin(error);
    const now = Date.now();
    const last = logged.get(error.message);
    if (last !== undefined && now - last < SAME_ERROR_MS) return;
    logged.set(error.message, now);
    log.error(`job queue: ${error.message}`);
  });
  boss.on('warning', ({ message }) => log.warn(`job queue: ${message}`));
}

/** A payload in the job table. Scheduled jobs have none. */
type SealedPayload = { readonly sealed: string };

interface Work<N extends JobName> {
  readonly name: N;
  readonly handlers: JobHandlers;
  readonly keys: Pick<Keys, 'sealing'>;
  readonly log: JobLog;
  readonly onEnd: (name: JobName, outcome: JobOutcome) => void;
}

const OPTIONS = {
  includeMetadata: true,
  pollingIntervalSeconds: 0.5,
  // Retries come due without a notification, and a broken connection may go unnoticed for a while.
  notifyPollingIntervalSeconds: 3,
} as const;

/** Processes jobs of one kind: when notified, and every few seconds. */
async function work<N extends JobName>(boss: PgBoss, kind: Work<N>): Promise<void> {
  const { name } = kind;
  for (let worker = 0; worker < JOB_SETTINGS[name].atOnce; worker += 1) {
    const id = await boss.work<SealedPayload | null, void, typeof OPTIONS>(
      name,
      OPTIONS,
      async ([job]) => {
        try {
          if (job) await run(boss, kind, job);
        } finally {
          // The next job starts at once instead of at the next notification or poll.
          boss.notifyWorker(id);
        }
      },
    );
  }
}

async function run<N extends JobName>(
  boss: PgBoss,
  { name, handlers, keys, log, onEnd }: Work<N>,
  job: JobWithMetadata<SealedPayload | null>,
) {
  try {
    await handlers[name](open<N>(keys, job.data));
    onEnd(name, 'done');
  } catch (error) {
    const isLast = job.retryCount >= job.retryLimit;
    const about = { job: name, attempt: job.retryCount + 1, error: errorWithoutText(error) };
    onEnd(name, isLast ? 'given_up' : 'failed');
    if (isLast) log.error(about, 'job given up');
    else log.warn(about, 'job failed, will be retried');
    // pg-boss stores the error, so it must not contain anything from the payload.
    if (!isLast) throw new Error('failed');
  }
  // Finished and failed jobs are deleted immediately. pg-boss then has nothing to mark as
  // completed.
  await boss.deleteJob(name, job);
}

function open<N extends JobName>(
  keys: Pick<Keys, 'sealing'>,
  data: SealedPayload | null,
): JobPayloads[N] {
  if (data === null) return {} as JobPayloads[N];
  return unseal(keys.sealing, 'job', Buffer.from(data.sealed, 'base64'));
}

interface EnqueueOptions {
  startAfterSeconds?: number;
  /** Of the jobs enqueued within this interval, only the first is kept. */
  oncePerSeconds?: number;
}

export interface JobQueue {
  /** Enqueues in the caller's transaction: the job exists if and only if the change commits. */
  enqueue<N extends JobName>(
    trx: Db,
    name: N,
    payload: JobPayloads[N],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Enqueues many jobs of a kind at once, in the caller's transaction. */
  enqueueAll<N extends JobName>(
    trx: Db,
    name: N,
    payloads: readonly JobPayloads[N][],
  ): Promise<void>;
  /** Whether more jobs of this kind are waiting or running. */
  hasMoreThan(trx: Db, number: number, name: JobName): Promise<boolean>;
  /** Deletes every job, waiting or running, that matches `isMeant`, in the caller's transaction. */
  discard(trx: Db, isMeant: (job: Job) => boolean): Promise<void>;
}

export interface RunningJobs extends JobQueue {
  /** Starts processing jobs, along with other servers on the same database. */
  work(handlers: JobHandlers): Promise<void>;
  /** Waits up to 20 seconds for the work in progress. Jobs still running then are retried. */
  stop(): Promise<void>;
  /** For tests: resolves once no job is running or due. A job that waits for a retry is not due. */
  idle(): Promise<void>;
}

const IDLE_POLL_MS = 10;

/** Starts the job queue: pg-boss in the schema `pgboss`, on our pool. */
export async function startJobs({
  database,
  keys,
  log,
  schedule = true,
  onEnd = () => {},
}: {
  database: Pick<Connections, 'pool'>;
  keys: Pick<Keys, 'sealing'>;
  log: JobLog;
  /** False in tests, which move the clock and enqueue scheduled jobs themselves. */
  schedule?: boolean | undefined;
  /** Called after each attempt of a job. */
  onEnd?: (name: JobName, outcome: JobOutcome) => void;
}): Promise<RunningJobs> {
  const boss = await startBoss(database.pool, log, schedule);
  const sealed = (payload: JobPayloads[JobName]): SealedPayload => ({
    sealed: seal(currentKey(keys.sealing), 'job', payload).toString('base64'),
  });

  return {
    async enqueue(trx, name, payload, { startAfterSeconds = 0, oncePerSeconds } = {}) {
      await boss.send(name, sealed(payload), {
        db: fromKysely(trx),
        startAfter: startAfterSeconds,
        ...(oncePerSeconds && { singletonSeconds: oncePerSeconds }),
      });
    },

    async enqueueAll(trx, name, payloads) {
      if (payloads.length === 0) return;
      const jobs = payloads.map((payload) => ({ data: sealed(payload) }));
      await boss.insert(name, jobs, { db: fromKysely(trx) });
    },

    async hasMoreThan(trx, number, name) {
      const { rows } = await sql`
        select from pgboss.job where name = ${name} offset ${number} limit 1`.execute(trx);
      return rows.length > 0;
    },

    discard: (trx, isMeant) => discardJobs(trx, keys, isMeant),

    async work(handlers) {
      for (const name of JOB_NAMES) await work(boss, { name, handlers, keys, log, onEnd });
    },

    async stop() {
      const finished = Promise.all(JOB_NAMES.map((name) => boss.offWork(name)));
      await within(finished, TIME_OUTS.jobsStop.ms);
      const stopped = boss.stop({ graceful: false, close: false });
      // A silent database never responds to what pg-boss still asks.
      await within(stopped, TIME_OUTS.databaseStop.ms);
    },

    async idle() {
      while (await anyDue(database.pool)) await pause(IDLE_POLL_MS);
    },
  };
}

interface StoredJob {
  readonly id: string;
  readonly name: JobName;
  readonly data: SealedPayload;
}

/**
 * Deletes every job that matches `isMeant`. Payloads are sealed, so this opens all of them; few are
 * waiting at any time.
 */
export async function discardJobs(
  trx: Db,
  keys: Pick<Keys, 'sealing'>,
  isMeant: (job: Job) => boolean,
): Promise<void> {
  const { rows } = await sql<StoredJob>`
    select id, name, data from pgboss.job
    where name = any(${JOB_NAMES}::text[]) and data is not null
  `.execute(trx);
  const ids = rows.filter((row) => openStored(keys, row).some(isMeant)).map(({ id }) => id);
  await sql`
    delete from pgboss.job where name = any(${JOB_NAMES}::text[]) and id = any(${ids}::uuid[])
  `.execute(trx);
}

/** Returns nothing if the sealing key is gone, because then nobody can ever read it. */
function openStored(keys: Pick<Keys, 'sealing'>, { name, data }: StoredJob): Job[] {
  const payload = unsealOrNull(keys.sealing, 'job', Buffer.from(data.sealed, 'base64'));
  return payload === null ? [] : [{ name, payload } as Job];
}

async function anyDue(pool: Connections['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    `select exists (
       select from pgboss.job
       where name = any ($1)
         and (state = 'active' or state in ('created', 'retry') and start_after <= now())
     ) as due`,
    [JOB_NAMES],
  );
  return rows[0]?.due === true;
}

/**
 * Rows in different tables written by one transaction stay linked until the next rewrite. A request
 * at the end of the five-minute interval still has five minutes to commit before it starts.
 */
const REWRITE = { startAfterSeconds: 600, oncePerSeconds: 300 };

/** Shared by all requests within a few minutes, because it rewrites every table. */
export const rewriteSoon = ({ jobs }: { jobs: Pick<JobQueue, 'enqueue'> }, trx: Db) =>
  jobs.enqueue(trx, 'rewrite', {}, REWRITE);
