import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { openPublicCache, VALUE_BOUNDS } from './public-cache.ts';
import { TopicCache } from './topic-cache.ts';

async function open() {
  const { pool } = (await testDatabase()).background;
  const cache = await openPublicCache(pool);
  onTestFinished(() => cache.close());
  let computed = 0;
  const read = (key = 'a') => cache.remember(['reviews'], key, async () => ++computed);
  return { pool, cache, read };
}

test('computes once for all callers until a topic changes', async () => {
  const { cache, read } = await open();
  expect(await Promise.all([read(), read(), read('b')])).toEqual([1, 1, 2]);
  cache.changed(['votes']);
  expect(await read()).toBe(1);
  cache.changed(['reviews']);
  expect([await read(), await read('b')]).toEqual([3, 4]);
});

test('does not keep a value whose computation started before a change', async () => {
  const { cache, read } = await open();
  const { promise, resolve } = Promise.withResolvers<string>();
  const old = cache.remember(['reviews'], 'slow', () => promise);
  cache.changed(['reviews']);
  const fresh = cache.remember(['reviews'], 'slow', async () => 'new');
  resolve('old');
  expect([await old, await fresh]).toEqual(['old', 'new']);
  expect(await cache.remember(['reviews'], 'slow', async () => 'newer')).toBe('new');
  expect(await read()).toBe(1);
});

test('does not keep an error', async () => {
  const { cache } = await open();
  const fail = () => cache.remember(['reviews'], 'x', () => Promise.reject(new Error('lost')));
  await expect(fail()).rejects.toThrow('lost');
  expect(await cache.remember(['reviews'], 'x', async () => 1)).toBe(1);
});

test('learns of commits by other processes, and ignores rollbacks', async () => {
  const { pool, read } = await open();
  expect(await read()).toBe(1);
  await pool.query('begin; delete from reviews; rollback');
  await pool.query('delete from employers');
  expect(await read()).toBe(1);
  await pool.query('delete from reviews');
  await expect.poll(() => read()).toBe(2);
});

test('drops everything once it listens again', async () => {
  const { pool, read } = await open();
  expect(await read()).toBe(1);
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`);
  await expect.poll(() => read()).toBe(2);
  expect(await read()).toBe(2);
});

test('limits the bytes of values and keys, however long a search is', async () => {
  const values = new TopicCache<unknown>(VALUE_BOUNDS);
  values.setListening(true);
  const search = 'x'.repeat(20_000);
  for (let n = 0; n < 500; n += 1) {
    await values.remember(`understood/${search}${n}`, ['reviews'], async () => null);
    await values.remember(`count/${n}`, ['reviews'], async () => search);
  }
  expect(values.weight).toBeLessThanOrEqual(VALUE_BOUNDS.capacity);
  // At most two bytes per character, so about 400 of the newest fit.
  expect(values.find(`understood/${search}499`)).toBeNull();
  expect(values.find('count/0')).toBeUndefined();
});
