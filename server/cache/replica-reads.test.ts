import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase, SESSION } from '#server/db/open.ts';
import { replicasOf } from '#server/db/replicas.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { replicaReads } from './public-cache.ts';
import { readingWith, UNKNOWN_POSITION } from './write-position.ts';

/** More than any database has written. */
const EVERYTHING = Number.MAX_SAFE_INTEGER - 1;

/** A primary, and a second pool on the same server, which reports how far it has replayed. */
async function setup() {
  const database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  const settings = { ...inject('testServer').connection, database: rows[0]?.name, max: 2 };
  const replica = { replayed: 0, isDown: false, cancels: false, isBalanced: false, asked: 0 };
  const pool = new pg.Pool({ ...SESSION, ...settings, application_name: 'replica' });
  let connections = 0;
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    const isFirst = ++connections === 1;
    const position = async () => {
      replica.asked += 1;
      if (replica.isDown) throw new Error('Connection terminated');
      return { rows: [{ position: isFirst || !replica.isBalanced ? replica.replayed : 0 }] };
    };
    Object.assign(client, {
      query(what: string, values: never, done?: (error: unknown, result?: unknown) => void) {
        if (!String(what).includes('pg_is_in_recovery')) return query(what, values, done as never);
        const answer = position();
        if (!done) return answer;
        answer.then((result) => done(undefined, result), done);
      },
    });
  });
  const replicas = replicasOf([pool]);
  const primary = openDatabase({ ...settings, application_name: 'primary' }, () => {});
  onTestFinished(async () => {
    await replicas.close();
    await primary.close();
    await database[Symbol.asyncDispose]();
  });
  const reads = replicaReads(primary.pool, replicas);
  const whoAnswers = () =>
    reads.read(async () => {
      const { rows } = await sql<{ who: string }>`
        select current_setting('application_name') as who`.execute(primary.db);
      const [{ who } = { who: '' }] = rows;
      if (who === 'replica' && replica.cancels) {
        throw Object.assign(new Error('conflict with recovery'), { code: '40001' });
      }
      return who;
    });
  return { reads, replica, whoAnswers };
}

test('reads from a replica once it has replayed all changes this server was notified of', async () => {
  const { reads, replica, whoAnswers } = await setup();
  expect(await whoAnswers()).toBe('primary');
  reads.heardOfChange();
  await expect.poll(async () => (await whoAnswers()) && replica.asked).toBeGreaterThan(0);
  expect(await whoAnswers()).toBe('primary');
  replica.replayed = EVERYTHING;
  expect(await whoAnswers()).toBe('replica');
  const { asked } = replica;
  expect(await whoAnswers()).toBe('replica');
  expect(replica.asked).toBe(asked);
});

/** Once this server has been notified of a change, and its replica has all of it. */
async function caughtUp() {
  const server = await setup();
  server.replica.replayed = EVERYTHING;
  server.reads.heardOfChange();
  expect(await server.whoAnswers()).toBe('primary');
  await expect.poll(server.whoAnswers).toBe('replica');
  return server;
}

test("reads from a replica only once it has the caller's own writes", async () => {
  const { whoAnswers } = await caughtUp();
  const readingAt = (position: number) =>
    new Promise<string>((resolve) => {
      readingWith({ position, isBehind: false }, () => resolve(whoAnswers()));
    });
  expect(await readingAt(EVERYTHING)).toBe('replica');
  expect(await readingAt(UNKNOWN_POSITION)).toBe('primary');
});

test('retries on the primary what a replica cancels, and pauses a replica that is down', async () => {
  const { reads, replica, whoAnswers } = await setup();
  reads.heardOfChange();
  replica.isDown = true;
  await expect.poll(async () => (await whoAnswers()) && replica.asked).toBe(1);
  replica.isDown = false;
  replica.replayed = EVERYTHING;
  // It is paused.
  expect(await whoAnswers()).toBe('primary');
  expect(replica.asked).toBe(1);

  const other = await caughtUp();
  other.replica.cancels = true;
  expect(await other.whoAnswers()).toBe('primary');
});

test('checks every connection, because one address may lead to several replicas', async () => {
  const { reads, replica, whoAnswers } = await setup();
  replica.replayed = EVERYTHING;
  replica.isBalanced = true;
  reads.heardOfChange();
  await expect.poll(whoAnswers).toBe('replica');
  const both = await Promise.all([whoAnswers(), whoAnswers()]);
  expect(both.toSorted()).toEqual(['primary', 'replica']);
  replica.isBalanced = false;
  expect(await Promise.all([whoAnswers(), whoAnswers()])).toEqual(['replica', 'replica']);
});

test('nested reads decide for themselves', async () => {
  const { reads, whoAnswers } = await caughtUp();
  const inner = await reads.read(async () => {
    reads.heardOfChange();
    return whoAnswers();
  });
  expect(inner).toBe('primary');
});

test('without replicas, no positions are queried', async () => {
  const primary = { query: () => Promise.reject(new Error('asked')) } as unknown as pg.Pool;
  const reads = replicaReads(primary, replicasOf([]));
  reads.heardOfChange();
  expect(await reads.read(async () => 1)).toBe(1);
});

test('retries a read whose connection was lost, but each read only once', async () => {
  const reads = replicaReads({} as pg.Pool, replicasOf([]));
  const lost = vi.fn().mockRejectedValue(new Error('Connection terminated unexpectedly'));
  await expect(reads.read(lost)).rejects.toThrow('terminated');
  expect(lost).toHaveBeenCalledTimes(4);
  await expect(reads.read(() => reads.read(lost))).rejects.toThrow('terminated');
  expect(lost).toHaveBeenCalledTimes(8);
  const slow = vi.fn().mockRejectedValue(new Error('timeout exceeded when trying to connect'));
  await expect(reads.read(slow)).rejects.toThrow('timeout');
  expect(slow).toHaveBeenCalledTimes(1);
});
