import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { Keys } from '#server/anonymity/keys.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { testDatabase } from '#server/testing/database.ts';
import { hurry, idleHandlers, logToLines, pauseOf, SIGNUP_MAIL } from '#server/testing/jobs.ts';
import { startBoss, startJobs } from './queue.ts';
import type { JobHandlers } from './settings.ts';

const sealingKey = (id: string) => ({ id, key: randomBytes(32) });

type Pool = Awaited<ReturnType<typeof testDatabase>>['pool'];

async function setup({ sealing = [sealingKey('k1')] }: Partial<Pick<Keys, 'sealing'>> = {}) {
  const database = await testDatabase();
  const { log, lines } = logToLines();
  const ended: string[] = [];
  const onEnd = (name: string, outcome: string) => ended.push(`${name} ${outcome}`);
  const start = async () => {
    const jobs = await startJobs({ database, keys: { sealing }, log, onEnd });
    onTestFinished(() => jobs.stop());
    return jobs;
  };
  const { db, pool } = database;
  return { database, db, pool, start, lines, ended, jobs: await start() };
}

const jobRows = async (pool: Pool) =>
  (await pool.query("select * from pgboss.job where name not like '\\_\\_pgboss%'")).rows;

test('a job exists if and only if the change commits', async () => {
  const { jobs, db } = await setup();
  const done: unknown[] = [];
  await jobs.work({ ...idleHandlers, 'verify-npi': async (payload) => void done.push(payload) });
  const change = (userId: string, fails: boolean) =>
    db.transaction().execute(async (trx) => {
      await jobs.enqueue(trx, 'verify-npi', { userId });
      if (fails) throw new Error('rolled back');
    });

  await expect(change('first', true)).rejects.toThrow('rolled back');
  await change('second', false);
  await jobs.idle();

  expect(done).toEqual([{ userId: 'second' }]);
});

test('runs as soon as the transaction commits, and is deleted when done', async () => {
  const { jobs, db, pool } = await setup();
  const taken = new EventTarget();
  await jobs.work({
    ...idleHandlers,
    retention: async () => void taken.dispatchEvent(new Event('taken')),
  });
  await jobs.idle();
  const delay = async () => {
    const delivery = once(taken, 'taken');
    await db.transaction().execute((trx) => jobs.enqueue(trx, 'retention', {}));
    const committed = performance.now();
    await delivery;
    return performance.now() - committed;
  };
  await delay();
  // Its only worker polls at the earliest half a second after a job. The first job had none before
  // it. A busy machine may take longer, but not every time.
  while ((await delay()) >= 400);
  await jobs.idle();

  expect(await jobRows(pool)).toEqual([]);
});

test('waits if delayed', async () => {
  const { jobs, db, pool } = await setup();
  await jobs.enqueue(db, 'send-mail', SIGNUP_MAIL, { startAfterSeconds: 3600 });
  const [row] = await jobRows(pool);
  expect(row.start_after.getTime() - row.created_on.getTime()).toBe(3_600_000);
});

test('the job table and the log hold nothing readable while a job waits or after it fails', async () => {
  const { jobs, db, pool, lines } = await setup();
  await jobs.enqueue(db, 'send-mail', SIGNUP_MAIL);
  const waiting = JSON.stringify(await jobRows(pool));
  expect(waiting).toContain('send-mail');
  await jobs.work({
    ...idleHandlers,
    'send-mail': async ({ to }) => {
      throw Object.assign(new Error(`450 <${to}> greylisted`), { responseCode: 450 });
    },
  });
  await jobs.idle();
  const failed = JSON.stringify(await jobRows(pool));

  expect(failed).toContain('retry');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('job failed, will be retried');
  expect(lines[0]).toContain('"responseCode":450');
  for (const text of [waiting, failed, ...lines]) {
    // Not by chance either: sealed payloads, in base64, have neither dots nor dashes.
    expect(text).not.toMatch(/canary\.recipient|hospital\.example|signup-code/);
    expect(text).not.toContain(SIGNUP_MAIL.props.code);
  }
});

test('retries a failing job with increasing delays, then gives up and deletes it', async () => {
  const { jobs, db, pool, lines, ended } = await setup();
  let tries = 0;
  await jobs.work({
    ...idleHandlers,
    'send-mail': async () => {
      tries += 1;
      throw new Error(SIGNUP_MAIL.to);
    },
  });
  await jobs.enqueue(db, 'send-mail', SIGNUP_MAIL);
  const pauses: ReturnType<typeof pauseOf>[] = [];
  for (;;) {
    await jobs.idle();
    const [row] = await jobRows(pool);
    if (!row) break;
    pauses.push(pauseOf(row));
    await hurry(pool);
  }

  expect(tries).toBe(11);
  expect(pauses).toHaveLength(10);
  for (const [retry, { left, inAll }] of pauses.entries()) {
    expect(left).toBeLessThanOrEqual(Math.min(3600, 20 * 2 ** retry));
    expect(inAll).toBeGreaterThanOrEqual(Math.min(3600, 10 * 2 ** retry));
  }
  expect(lines.at(-1)).toContain('job given up');
  expect(ended).toEqual([...Array(10).fill('send-mail failed'), 'send-mail given_up']);
  expect(lines.join()).not.toContain(SIGNUP_MAIL.to);
});

test('several servers share the work, and each job runs once', async () => {
  const { jobs, db, start } = await setup();
  const done: string[] = [];
  const handlers: JobHandlers = {
    ...idleHandlers,
    'verify-npi': async ({ userId }) => void done.push(userId),
  };
  const other = await start();
  await Promise.all([jobs.work(handlers), other.work(handlers)]);
  const ids = Array.from({ length: 40 }, (_, index) => `user ${index}`);
  await Promise.all(
    ids.map((userId, index) => (index % 2 ? jobs : other).enqueue(db, 'verify-npi', { userId })),
  );
  await jobs.idle();

  expect(done.toSorted()).toEqual(ids.toSorted());
});

test('stop waits for the work in progress, and starts no new jobs', async () => {
  const { jobs, db, pool } = await setup();
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let done = 0;
  await jobs.work({
    ...idleHandlers,
    retention: async () => {
      started.resolve();
      await gate.promise;
      done += 1;
    },
  });
  await jobs.enqueue(db, 'retention', {});
  await started.promise;
  await jobs.enqueue(db, 'retention', {});
  const stopped = jobs.stop();
  gate.resolve();
  await stopped;

  expect(done).toBe(1);
  expect(await jobRows(pool)).toMatchObject([{ state: 'created' }]);
});

test('opens a payload that was sealed with an older key', async () => {
  const [older, newer] = [sealingKey('k1'), sealingKey('k2')];
  const { jobs, db, database } = await setup({ sealing: [older] });
  await jobs.enqueue(db, 'verify-npi', { userId: 'someone' });
  const { log } = logToLines();
  const rotated = await startJobs({ database, keys: { sealing: [newer, older] }, log });
  onTestFinished(() => rotated.stop());
  const done: unknown[] = [];
  await rotated.work({ ...idleHandlers, 'verify-npi': async (payload) => void done.push(payload) });
  await rotated.idle();

  expect(done).toEqual([{ userId: 'someone' }]);
});

test('each job follows its schedule: scheduled reviews every minute, the rewrite every night', async () => {
  const { jobs, pool } = await setup();
  const { rows } = await pool.query('select name, cron, data from pgboss.schedule order by name');
  expect(rows).toEqual([
    { name: 'refresh-titles', cron: '13 9 * * *', data: null },
    { name: 'retention', cron: '17 * * * *', data: null },
    { name: 'reviews-due', cron: '* * * * *', data: null },
    { name: 'rewrite', cron: '43 9 * * *', data: null },
    { name: 'staff-digest', cron: '0 12 * * *', data: null },
    { name: 'weekly-mail', cron: '* * * * *', data: null },
  ]);

  const payloads: unknown[] = [];
  // Scheduled jobs have no payload.
  await pool.query("insert into pgboss.job (name) values ('retention')");
  await jobs.work({ ...idleHandlers, retention: async (payload) => void payloads.push(payload) });
  await jobs.idle();
  expect(payloads).toEqual([{}]);
});

test('starts while a running server writes jobs, and neither is aborted', async () => {
  const { background, db, pool } = await testDatabase();
  await pool.query('alter table pgboss.job alter column data set statistics -1');
  const server = await pool.connect();
  onTestFinished(() => server.release(true));
  await server.query('begin');
  // A write to a partition locks the partition first, and then the whole table.
  await server.query('lock table pgboss.job_common in row exclusive mode');
  const starting = startBoss(background.pool, logToLines().log, false);
  starting.catch(() => {});
  await expect.poll(() => waitingForLocks(db)).toBeGreaterThan(0);
  await server.query('select from pgboss.job limit 0');
  await server.query('commit');
  const boss = await starting;
  onTestFinished(() => boss.stop({ graceful: false, close: false }));
});

test('an outage of the database is one line when it begins, and one when it is over', async () => {
  const { background } = await testDatabase();
  const { log, lines } = logToLines();
  const boss = await startBoss(background.pool, log, false);
  onTestFinished(() => boss.stop({ graceful: false, close: false }));
  for (let outage = 0; outage < 2; outage += 1) {
    for (const port of [1, 2, 3]) {
      const refused = new Error(`connect ECONNREFUSED 127.0.0.1:${port}`);
      boss.emit('error', Object.assign(refused, { code: 'ECONNREFUSED' }));
      boss.emit('error', new Error('Connection terminated unexpectedly'));
    }
    await boss.getQueues();
    await boss.getQueues();
    expect(lines.splice(0)).toEqual([
      expect.stringContaining('job queue: lost the database: connect ECONNREFUSED 127.0.0.1:1'),
      expect.stringContaining('job queue: the database is back'),
    ]);
  }
});
