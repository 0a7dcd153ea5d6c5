import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import type { Db } from './open.ts';
import { inTransaction } from './transaction.ts';

/** Fails like PostgreSQL. */
const failWith = (trx: Db, state: string) =>
  sql.raw(`do $$ begin raise exception 'a test' using errcode = '${state}'; end $$`).execute(trx);

test.each(['40P01', '40001'])('retries after %s, and leaves nothing twice', async (state) => {
  const { db } = await testDatabase();
  let attempts = 0;
  const answer = await inTransaction(db, async (trx) => {
    attempts += 1;
    await sql`insert into position_titles (title) values (${`Attempt ${attempts}`})`.execute(trx);
    if (attempts < 3) await failWith(trx, state);
    return 'done';
  });
  expect([answer, attempts]).toEqual(['done', 3]);
  const { rows } = await sql`
    select title from position_titles where title like 'Attempt%'`.execute(db);
  expect(rows).toEqual([{ title: 'Attempt 3' }]);
});

test('gives up after five attempts', async () => {
  const { db } = await testDatabase();
  let attempts = 0;
  const doomed = inTransaction(db, async (trx) => {
    attempts += 1;
    await failWith(trx, '40P01');
  });
  await expect(doomed).rejects.toMatchObject({ code: '40P01' });
  expect(attempts).toBe(5);
});

test('other errors end it immediately, and the outermost transaction retries for inner ones', async () => {
  const { db } = await testDatabase();
  const attempts = { unique: 0, inner: 0, outer: 0 };
  const unique = inTransaction(db, async (trx) => {
    attempts.unique += 1;
    await failWith(trx, '23505');
  });
  await expect(unique).rejects.toMatchObject({ code: '23505' });
  await inTransaction(db, async (trx) => {
    attempts.outer += 1;
    await inTransaction(trx, async (inner) => {
      attempts.inner += 1;
      if (attempts.outer === 1) await failWith(inner, '40P01');
    });
  });
  expect(attempts).toEqual({ unique: 1, inner: 2, outer: 2 });
});

test('two transactions that deadlock both succeed', async () => {
  const { db } = await testDatabase();
  const ids = [1, 2];
  const locked = ids.map(() => Promise.withResolvers<void>());
  const bothLocked = Promise.all(locked.map(({ promise }) => promise));
  const both = locked.map(({ resolve }, at) => {
    const [first = 0, second = 0] = at === 0 ? ids : ids.toReversed();
    return inTransaction(db, async (trx) => {
      const lock = (id: number) =>
        sql`select from position_titles where id = ${id} for update`.execute(trx);
      await lock(first);
      resolve();
      await bothLocked;
      await lock(second);
    });
  });
  await Promise.all(both);
});

test('every transaction goes through it', () => {
  const root = path.resolve(import.meta.dirname, '..');
  // A backup or a restore is one long transaction with COPY. It is not retried.
  const own = ['db/transaction.ts', 'backup/tables.ts'];
  const others = globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.includes('test') && !own.includes(file))
    .filter((file) => /\.transaction\(\)/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(others).toEqual([]);
});
