import { expect, test } from 'vitest';
import { listen } from '#server/db/listen.ts';
import { testDatabase } from '#server/testing/database.ts';

test('listens again after losing its connection', async () => {
  const { pool } = (await testDatabase()).background;
  const heard: string[] = [];
  let onNext: (payload: string) => void = () => {};
  const nextNotification = () =>
    new Promise<string>((resolve) => {
      onNext = resolve;
    });
  let connections = 0;
  const again = Promise.withResolvers<void>();
  const listener = await listen(
    pool,
    'news',
    (payload) => {
      heard.push(payload);
      onNext(payload);
    },
    () => {
      connections += 1;
      if (connections === 2) again.resolve();
    },
  );
  const first = nextNotification();
  await pool.query("select pg_notify('news', 'before')");
  await first;

  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'listen "news"'`,
  );
  await again.promise;
  const second = nextNotification();
  await pool.query("select pg_notify('news', 'after')");
  await second;
  await listener.close();

  expect(heard).toEqual(['before', 'after']);
  expect(connections).toBe(2);
  // No connection in the pool still listens to the channel.
  expect(pool.totalCount).toBe(pool.idleCount);
});
