import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { dumpDatabase } from './testing/dump.ts';
import { followed, primaryAndReplica, valuesIn } from './testing/replica.ts';

/** Bytes of a row's header, in which each server notes on its own what it knows of transactions. */
const ROW_HEADER = 23;
const AUTHORS = 60;
const authors = Array.from({ length: AUTHORS }, (_, n) => n);
const key = (name: string, n: number) => createHash('sha256').update(`${name} ${n}`).digest();

test('after the rewrite, the files of a replica show no more than those of the primary', async () => {
  const { primary, replica } = await primaryAndReplica();
  const { pool } = primary.database.background;
  await migrate(pool);
  for (const n of authors) {
    const values = [key('first', n), key('mark', n)];
    const secret = Buffer.concat([key('secret', n), key('secret', n)]);
    await pool.query(
      `insert into users (sealed, email_index, password_hash, author_secret, recovery_secret, author_salt)
       values ($2, $1, 'x', substring($2::bytea for 60), substring($2::bytea for 60), $2)`,
      [key('first', n), secret],
    );
    await pool.query(
      'insert into review_authors (author_key, job) values ($1, substring($2::bytea for 16))',
      values,
    );
    await pool.query('insert into mailbox_marks values ($1)', [key('mark', n)]);
  }
  await pool.query('vacuum (analyze)');
  await rewriteTables(pool);
  await followed(primary.database, replica.database);
  const found = (name: string) =>
    valuesIn(
      replica.folder,
      authors.map((n) => key(name, n)),
    );
  expect((await found('first')).size).toBe(AUTHORS);
  expect((await found('mark')).size).toBe(AUTHORS);

  // Every author locks the reviews, or leaves.
  for (const n of authors) {
    const values = [key('first', n), key('second', n)];
    await pool.query('update review_authors set author_key = $2 where author_key = $1', values);
    if (n % 3 === 0) await pool.query('delete from users where email_index = $1', [values[0]]);
    else await pool.query('update users set email_index = $2 where email_index = $1', values);
    await pool.query('delete from mailbox_marks where mark = $1', [key('mark', n)]);
  }
  await followed(primary.database, replica.database);
  expect((await found('first')).size).toBe(AUTHORS);
  await pool.query('analyze');
  await rewriteTables(pool);
  await followed(primary.database, replica.database);
  expect((await found('first')).size).toBe(0);
  expect((await found('mark')).size).toBe(0);
  expect((await found('second')).size).toBe(AUTHORS);

  const [here, there] = [await dumpDatabase(pool), await dumpDatabase(replica.database.pool)];
  expect(there.tables.get('public.review_authors')).toHaveLength(AUTHORS);
  for (const [table, rows] of there.tables)
    expect([table, rows]).toEqual([table, here.tables.get(table)]);
  const rowsLeft = ({ fragments }: typeof here) =>
    fragments
      .filter(({ isRow, table }) => isRow && !table.startsWith('files.pg_catalog'))
      .map(({ table, bytes }) => `${table} ${bytes.toString('hex', ROW_HEADER)}`);
  const left = new Set(rowsLeft(here));
  expect(rowsLeft(there).filter((row) => !left.has(row))).toEqual([]);
});
