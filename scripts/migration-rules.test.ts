import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from './docs/markdown.ts';
import { breakingChanges, type Migration } from './migration-rules.ts';
import { RELEASES } from './releases.ts';

const OUT = [
  { release: '1.0.0', lastMigration: '0001-baseline.sql' },
  { release: '1.1.0', lastMigration: '0002-older.sql' },
];

/** The errors of a migration after release 1.1.0. */
const judge = (sql: string, phase = '-- phase: expand') =>
  breakingChanges([{ name: '0003-new.sql', sql: `${phase}\n${sql}` }], OUT);

test('the migrations since the last release let it keep running', async () => {
  const migrations: Migration[] = globSync('server/db/migrations/*.sql', { cwd: ROOT })
    .sort()
    .map((file) => ({ name: path.basename(file), sql: read(file) }));
  expect(migrations.length).toBeGreaterThan(20);
  const names = migrations.map(({ name }) => name);
  for (const { lastMigration } of RELEASES) expect(names).toContain(lastMigration);
  expect(await breakingChanges(migrations, RELEASES)).toEqual([]);
});

test.each([
  'create table shifts (id uuid primary key, employer_id uuid references employers on delete cascade)',
  'create table a (id int primary key); create table b (a_id int not null references a)',
  'create table a (id int); alter table a add column b int not null; create unique index on a (b)',
  'create table a (id int); alter table a rename to b',
  'alter table reviews add column nights int',
  'alter table reviews add column nights int not null default 0 check (nights >= 0)',
  'alter table reviews add column code text unique',
  'alter table reviews alter column pay drop not null, alter column pay set default 0',
  'create index on reviews (pay)',
  'create or replace function f() returns int language sql as $$ select 1 $$',
  'update reviews set nights = 0 where nights is null',
  "alter type kind add value 'other'",
])('accepts an expanding migration: %s', async (sql) => {
  expect(await judge(sql)).toEqual([]);
});

test.each([
  ['drop table reviews', 'drop may break'],
  ['drop function f', 'drop may break'],
  ['alter table reviews drop column pay', 'alters reviews.pay: drop column'],
  ['alter table reviews rename column pay to salary', 'rename may break'],
  ['alter table reviews rename to opinions', 'rename may break'],
  ['alter table reviews add column nights int not null', 'reviews.nights: not null without'],
  ['alter table reviews add column id2 int primary key', 'reviews.id2: not null without'],
  ['alter table reviews add column n int unique default 1', 'reviews.n: unique, with the same'],
  ['alter table reviews add column n int unique nulls not distinct', 'reviews.n: unique, with the'],
  ['alter table reviews add column e uuid references employers', 'reviews.e: references employers'],
  ['create table a (e uuid, foreign key (e) references employers)', 'references employers without'],
  ['alter table reviews alter column pay set not null', 'alters reviews.pay: set not null'],
  ['alter table reviews alter column pay drop default', 'alters reviews.pay: column default'],
  ['alter table reviews alter column pay type text', 'alters reviews.pay: alter column type'],
  ['alter table reviews add check (pay > 0) not valid', 'alters reviews: add constraint'],
  ['alter table reviews add unique (pay)', 'alters reviews: add constraint'],
  ['alter table reviews drop constraint c', 'alters reviews.c: drop constraint'],
  ['create unique index on reviews (pay)', 'adds a unique index to reviews'],
  ["alter type kind rename value 'a' to 'b'", 'renames the value a'],
  ['delete from reviews', 'delete may break'],
  ['truncate reviews', 'truncate may break'],
  ['revoke select on reviews from app', 'grant may break'],
  ["do $$ begin execute 'drop table reviews'; end $$", 'do may break'],
])('rejects as an expanding migration: %s', async (sql, reason) => {
  expect(await judge(sql)).toEqual([expect.stringContaining(`0003-new.sql: ${reason}`)]);
});

test('a migration must name its phase', async () => {
  expect(await judge('select 1', '-- a new idea')).toEqual([
    expect.stringMatching(/^0003-new\.sql: must begin with/),
  ]);
});

test('a contracting migration may remove what a published release stopped using', async () => {
  const drop = 'alter table reviews drop column pay';
  expect(await judge(drop, '-- phase: contract after 1.1.0')).toEqual([]);
  expect(await judge(drop, '-- phase: contract after 1.2.0')).toEqual([
    '0003-new.sql: contracts after 1.2.0, which is not released',
  ]);
});

test('skips migrations that a release has, and those before the first release', async () => {
  const drop = { name: '0002-older.sql', sql: 'drop table reviews' };
  expect(await breakingChanges([drop], OUT)).toEqual([]);
  expect(await breakingChanges([{ ...drop, name: '0009-x.sql' }], [])).toEqual([]);
});
