import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import { holdingLock, LOCKS } from '#server/db/advisory-lock.ts';
import { isAway } from '#server/db/errors.ts';
import { listen } from '#server/db/listen.ts';
import { inYieldingTransaction } from '#server/db/yielding-transaction.ts';
import { JOB_NAMES, JOB_SETTINGS } from './settings.ts';

export type JobLog = Pick<FastifyBaseLogger, 'warn' | 'error'>;

/** Each worker reports the same error on every poll. It is logged once a minute. */
const SAME_ERROR_MS = 60_000;

/** After this long without a heartbeat from its server, another server takes over a job. */
const HEARTBEAT_SECONDS = 10;

/** Starts pg-boss on our pool, with one queue per kind of job. With `schedule`, cron jobs are enqueued. */
export async function startBoss(pool: pg.Pool, log: JobLog, schedule: boolean): Promise<PgBoss> {
  const outage = watchOutage(log);
  const db: Db = {
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
