import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { isBusy } from './errors.ts';
import type { Db } from './open.ts';
import { NAMED_MAX, StatementNames } from './statements.ts';
import { inTransaction } from './transaction.ts';

test('each text has its own name', () => {
  const names = new StatementNames();
  expect(names.of('select $1')).toBe(names.of('select $1'));
  expect(names.of('select $2')).not.toBe(names.of('select $1'));
  expect(names.size).toBe(2);
});

test('a marked text gets no name, and neither does a text beyond the maximum', () => {
  const names = new StatementNames();
  expect(names.of('select $1 /* unnamed */')).toBeUndefined();
  const first = names.of('select 0');
  for (let n = 0; n < 10_000; n += 1) names.of(`select ${n}`);
  expect(names.size).toBe(NAMED_MAX);
  expect(names.of('select 9999')).toBeUndefined();
  expect(names.of('select 0')).toBe(first);
});

/** A `*` that does not select from a CTE in the same file or from a list of values. */
function starsIn(text: string): string[] {
  const isListed = (source = '') =>
    /^(unnest|json_to_recordset)$/.test(source) ||
    new RegExp(`\\b${source} as (materialized )?\\(`).test(text);
  const found = text.matchAll(
    /(?:select|returning) \*[^;`]*?\bfrom (\w+)|returning \*|(?:select|returning)All\(/g,
  );
  return [...found]
    .filter(([, source]) => source === undefined || !isListed(source))
    .map(([match]) => match);
}

test('statements list their columns, so a new column does not change their results', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const found = globSync('**/*.ts', { cwd: root })
    .filter((file) => !/test/.test(file))
    .flatMap((file) =>
      starsIn(readFileSync(path.join(root, file), 'utf8')).map((star) => `${file}: ${star}`),
    );
  expect(found).toEqual([]);
  expect(starsIn('selectAll() returningAll()')).toHaveLength(2);
  expect(starsIn('select * from reviews')).toHaveLength(1);
});

const titles = (db: Db) =>
  sql`select * from position_titles where title = ${'Fellow'}`.execute(db).then(
    ({ rows }) => rows.length,
    (error: unknown) => error,
  );

test('a connection is replaced after a migration has changed one of its statements', async () => {
  const { db, pool, background } = await testDatabase();
  pool.options.max = 1;
  const change = (name: string) =>
    background.pool.query(`alter table position_titles add column ${name} text`);
  const before = await titles(db);
  await change('one');
  const stale = await titles(db);
  expect(stale).toMatchObject({ code: '0A000' });
  expect(isBusy(stale)).toBe(true);
  expect(await titles(db)).toBe(before);

  await change('two');
  const inside = await inTransaction(db, async (trx) => {
    const found = await titles(trx);
    if (found instanceof Error) throw found;
    return found;
  });
  expect(inside).toBe(before);
});
