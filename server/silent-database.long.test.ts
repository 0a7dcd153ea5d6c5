import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { listen } from './db/listen.ts';
import { testDatabase } from './testing/database.ts';
import { databaseProxy } from './testing/database-proxy.ts';
import { listening, spawnServer, terminate, urlOf } from './testing/server-process.ts';

const CHECK_MS = 50;

test('replaces a connection for notifications that has gone silent', async () => {
  const { pool: direct } = (await testDatabase()).background;
  const { rows } = await direct.query<{ name: string }>('select current_database() as name');
  const proxy = await databaseProxy();
  const { connection } = inject('testServer');
  const pool = new pg.Pool({
    ...connection,
    database: rows[0]?.name,
    host: '127.0.0.1',
    port: proxy.port,
  });
  const heard: string[] = [];
  let [connections, losses] = [0, 0];
  const listener = await listen(
    pool,
    'news',
    (payload) => heard.push(payload),
    () => (connections += 1),
    () => (losses += 1),
    CHECK_MS,
  );
  onTestFinished(async () => {
    await listener.close();
    await pool.end();
  });
  await pause(2 * CHECK_MS);
  expect(losses).toBe(0);
  proxy.silence();
  await expect.poll(() => losses).toBe(1);
  proxy.restore();
  await expect.poll(() => connections).toBe(2);
  await direct.query("select pg_notify('news', 'after')");
  await expect.poll(() => heard).toEqual(['after']);
});

/** After this long, the service managers in ops/ kill the server. */
const STOP_MS = 60_000;

test('a server whose database has gone silent still stops', async () => {
  const { db } = await testDatabase();
  const proxy = await databaseProxy();
  const child = await spawnServer(db, { DATABASE_URL: await urlOf(db, proxy.port) });
  await listening(child);
  proxy.silence();
  const started = performance.now();
  expect(await terminate(child)).toBe(0);
  expect(performance.now() - started).toBeLessThan(STOP_MS);
});
