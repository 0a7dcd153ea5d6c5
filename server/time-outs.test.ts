import { sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { isBusy } from './db/errors.ts';
import type { Db } from './db/open.ts';
import { inTransaction } from './db/transaction.ts';
import { buildTestApp, type TestApp } from './testing/app.ts';
import { testDatabase } from './testing/database.ts';
import { TIME_OUTS } from './time-outs.ts';

const LIMITS = {
  statement_timeout: TIME_OUTS.statement.ms,
  lock_timeout: TIME_OUTS.lock.ms,
  idle_in_transaction_session_timeout: TIME_OUTS.idleTransaction.ms,
};

async function limitsOf(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: keyof typeof LIMITS; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(LIMITS)],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
}

test('requests have timeouts; migrations, jobs, and commands have none', async () => {
  const { pool, background } = await testDatabase();
  expect(await limitsOf(pool)).toEqual(LIMITS);
  expect(pool.options.connectionTimeoutMillis).toBe(TIME_OUTS.connection.ms);
  expect(pool.options.query_timeout).toBe(TIME_OUTS.answer.ms);
  expect(TIME_OUTS.answer.ms).toBeGreaterThan(TIME_OUTS.statement.ms);
  const none = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, 0]));
  expect(await limitsOf(background.pool)).toEqual(none);
});

/** The error that ends a transaction with its own short limit. */
async function endOf(db: Db, work: (trx: Db) => Promise<unknown>): Promise<unknown> {
  return inTransaction(db, work).then(
    () => 'nothing',
    (error: unknown) => error,
  );
}

test('recognizes a statement, a lock, and an idle transaction that took too long', async () => {
  const { db, background } = await testDatabase();
  const holder = await background.pool.connect();
  try {
    await holder.query('begin; lock table position_titles in access exclusive mode');
    const errors = [
      await endOf(db, (trx) =>
        sql`set local statement_timeout = 50; select pg_sleep(60)`.execute(trx),
      ),
      await endOf(db, (trx) =>
        sql`set local lock_timeout = 50; select from position_titles`.execute(trx),
      ),
      await endOf(db, async (trx) => {
        await sql`set local idle_in_transaction_session_timeout = 50`.execute(trx);
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await expect.poll(() => isConnected(background.db, rows[0]?.pid)).toBe(false);
        await sql`select 1`.execute(trx);
      }),
    ];
    expect(errors).toMatchObject([{ code: '57014' }, { code: '55P03' }, { code: '25P03' }]);
    expect(errors.map(isBusy)).toEqual([true, true, true]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  // The lost connection is not reused.
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

async function isConnected(db: Db, pid: number | undefined): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where pid = ${pid}`.execute(db);
  return rows.length > 0;
}

test('gives up on a database that does not respond, and closes the connection', async () => {
  const { db, pool } = await testDatabase();
  pool.options.query_timeout = 50;
  const error = await endOf(db, (trx) => sql`select pg_sleep(1)`.execute(trx));
  expect(error).toMatchObject({ message: 'Query read timeout' });
  expect(isBusy(error)).toBe(true);
  await expect.poll(() => pool.totalCount).toBe(0);
});

const UNAVAILABLE = {
  statusCode: 503,
  headers: { 'retry-after': '10', 'cache-control': 'no-store' },
};

const list = ({ app }: TestApp) => app.inject('/api/employers/filter_options/');

test('tells the client to retry when the database times out a request', async () => {
  await using server = await buildTestApp();
  const { background } = server.deps.database;
  const holder = await background.pool.connect();
  try {
    await holder.query('begin; lock table employers in access exclusive mode');
    const answer = list(server);
    // The error of statement_timeout, without waiting for it.
    await expect
      .poll(async () => {
        const { rowCount } = await background.pool.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount;
      })
      .toBe(1);
    expect(await answer).toMatchObject(UNAVAILABLE);
    expect((await answer).json()).toMatchObject({ code: 'unavailable' });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await list(server)).statusCode).toBe(200);
});

test('tells the client to retry when a request gets no connection', async () => {
  await using server = await buildTestApp();
  const { pool } = server.deps.database;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  pool.options.connectionTimeoutMillis = 50;
  const answer = await list(server);
  for (const client of held) client.release();
  expect(answer).toMatchObject(UNAVAILABLE);
});
