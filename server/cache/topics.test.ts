import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { TOPICS } from '#server/db/topics.ts';
import { testDatabase } from '#server/testing/database.ts';

/** The columns whose updates notify, by topic. */
async function notifyingColumns(pool: pg.Pool): Promise<Record<string, string[]>> {
  const { rows } = await pool.query<{ topic: string; columns: string[] }>(`
    select substring(pg_get_triggerdef(pg_trigger.oid) from $$notify_changed\\('(.*)'\\)$$) as topic,
      array(select attname::text from pg_attribute
        where attrelid = tgrelid and attnum = any (tgattr) order by attname) as columns
    from pg_trigger where tgname = 'changed'`);
  return Object.fromEntries(rows.map(({ topic, columns }) => [topic, columns]));
}

test('every topic has a trigger on all columns that a response may show', async () => {
  const { pool } = (await testDatabase()).background;
  const columns = await notifyingColumns(pool);
  expect(Object.keys(columns).sort()).toEqual([...TOPICS].sort());
  expect(columns['reviews']).toEqual(expect.arrayContaining(['pros', 'removed_reason']));
  const private_ = /helpful|settled/;
  expect(columns['reviews']?.filter((name) => private_.test(name))).toEqual([]);
  expect(columns['votes']).toEqual(['helpful', 'review_id']);
});

test('recreates the triggers only when the topics have changed', async () => {
  const { pool } = (await testDatabase()).background;
  const version = async () => {
    const { rows } = await pool.query("select xmin::text from pg_trigger where tgname = 'changed'");
    return rows.map(({ xmin }) => xmin);
  };
  const created = await version();
  expect(await migrate(pool)).toEqual([]);
  expect(await version()).toEqual(created);
  await pool.query("update migrations set checksum = 'of other topics' where name like 'topic%'");
  const other = 'changed after insert on reviews execute function notify_changed()';
  await pool.query(`create or replace trigger ${other}`);
  expect(await migrate(pool)).toEqual([]);
  expect(await notifyingColumns(pool)).toHaveProperty('reviews', expect.arrayContaining(['pros']));
});

test('notifies of a changed text, and ignores votes', async () => {
  const { pool } = (await testDatabase()).background;
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  const topics: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => topics.push(payload));
  await client.query('listen curbside_changed');
  await pool.query('update reviews set helpful_count = 1, settled = true');
  await pool.query("update reviews set pros = ''");
  await expect.poll(() => topics).toEqual(['reviews']);
});
