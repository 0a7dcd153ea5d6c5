import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from '../docs/markdown.ts';
import { RELEASES } from '../releases.ts';
import { breakingChanges, type Migration } from './breaking-changes.ts';

const OUT = [
  { release: '1.0.0', lastMigration: '0001-baseline.sql' },
  { release: '1.1.0', lastMigration: '0002-older.sql' },
];

/** The errors of a migration after release 1.1.0. */
const judge = (sql: string, phase = '-- phase: expand', before: readonly Migration[] = []) =>
  breakingChanges([...before, { name: '0003-new.sql', sql: `${phase}\n${sql}` }], OUT);

/** Our migrations. */
const migrations: readonly Migration[] = globSync('server/db/migrations/*.sql', { cwd: ROOT })
  .sort()
  .map((file) => ({ name: path.basename(file), sql: read(file) }));

test('the migrations since the last release let it keep running', async () => {
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
  'alter table reviews add column nights int check (nights is null or nights in (1, 2))',
  'create table a (id int); create trigger t after insert on a execute function f()',
  'create function f() returns int language sql begin atomic delete from reviews returning 1; end',
  '-- accepts reviews_by_pay: 2 s\ncreate index reviews_by_pay on reviews (pay)',
  '-- accepts f: adds a step\ncreate or replace function f() returns int return 1',
  '-- accepts v: same columns\ncreate or replace view v as select 1 as a',
  '-- accepts t: counts\ncreate trigger t after insert on reviews execute function f()',
  'update reviews set nights = 0 where nights is null',
  "alter type kind add value 'other'",
])('accepts an expanding migration: %s', async (sql) => {
  expect(await judge(sql)).toEqual([]);
});

test.each([
  ['create table if not exists reviews (id int)', 'creates reviews only if'],
  ['create table if not exists reviews as select 1', 'creates reviews only if'],
  ['create temp table reviews (id int)', 'creates the temporary table reviews'],
  ['create temp table reviews as select 1', 'creates the temporary table reviews'],
  ['create table old.reviews (id int); alter table reviews drop column pay', 'alters reviews.pay'],
  ['with gone as (delete from reviews returning 1) select from gone', 'delete may break'],
  ['create table a as with gone as (delete from reviews returning 1) table gone', 'delete may'],
  ["update migrations set checksum = 'x'", 'writes to migrations'],
  ['with x as (insert into migrations values (1) returning 1) table x', 'writes to migrations'],
  ['drop table reviews', 'drop may break'],
  ['drop function f', 'drop may break'],
  ['alter table reviews drop column pay', 'alters reviews.pay: drop column'],
  ['alter table reviews rename column pay to salary', 'rename may break'],
  ['alter table reviews rename to opinions', 'rename may break'],
  ['alter table reviews add column nights int not null', 'reviews.nights: not null without'],
  ['alter table reviews add column n int not null default null', 'reviews.n: not null without'],
  ['alter table reviews add column if not exists n int', 'reviews.n: added only if'],
  ['alter table reviews add column n int check (n is not null)', 'reviews.n: has a check that'],
  ['alter table reviews add column n int check (coalesce(n, 0) > 0)', 'reviews.n: has a check'],
  ['alter table reviews add column n int check (n is distinct from 1)', 'reviews.n: has a check'],
  ['alter table reviews add column n bool check (n is true)', 'reviews.n: has a check that'],
  ['alter table reviews add column n int check (pay < 100)', 'reviews.n: checks more than'],
  ['alter table reviews add column n int check (reviews is not null)', 'reviews.n: checks more'],
  ['alter table reviews add column id2 int primary key', 'reviews.id2: not null without'],
  ['alter table reviews add column n int unique default 1', 'reviews.n: unique, with the same'],
  ['alter table reviews add column n int unique nulls not distinct', 'reviews.n: unique, with the'],
  ['alter table reviews add column e uuid references employers', 'reviews.e: references employers'],
  ['create table a (e uuid, foreign key (e) references employers)', 'references employers without'],
  ['alter table reviews alter column pay set not null', 'alters reviews.pay: set not null'],
  ['alter table reviews alter column pay drop default', 'alters reviews.pay: column default'],
  ['alter table reviews alter column pay set default null', 'alters reviews.pay: column default'],
  ['alter table reviews alter column pay set default null::int', 'alters reviews.pay: column def'],
  ['alter table reviews alter column pay type text', 'alters reviews.pay: alter column type'],
  ['alter table reviews add check (pay > 0) not valid', 'alters reviews: add constraint'],
  ['alter table reviews add unique (pay)', 'alters reviews: add constraint'],
  ['alter table reviews drop constraint c', 'alters reviews.c: drop constraint'],
  ['create unique index on reviews (pay)', 'adds a unique index to reviews'],
  ['create index on reviews (pay)', 'adds an index to reviews without "-- accepts'],
  ['-- accepts i: \ncreate index i on reviews (pay)', 'adds an index to reviews without'],
  ['create trigger t before insert on reviews execute function f()', 'adds a trigger to reviews'],
  ['create or replace function public.f() returns int return 1', 'replaces f without "-- acc'],
  ['create or replace view v as select 1 as a', 'replaces v without "-- accepts'],
  ["alter type kind rename value 'a' to 'b'", 'renames the value a'],
  ['delete from reviews', 'delete may break'],
  ['truncate reviews', 'truncate may break'],
  ['revoke select on reviews from app', 'grant may break'],
  ["do $$ begin execute 'drop table reviews'; end $$", 'do may break'],
])('rejects as an expanding migration: %s', async (sql, reason) => {
  expect(await judge(sql)).toEqual([expect.stringContaining(`0003-new.sql: ${reason}`)]);
});

test.each([
  ['employer_stars', 'stars_given'],
  ['employer_specialties', 'specialty_given'],
  ['employer_years', 'year_given'],
  ['employer_concerns', 'reviews_changed'],
  ['review_counts', 'reviews_changed'],
  ['reviews'],
])('a new column of %s needs other functions that build rows: %s', async (table, ...builders) => {
  const baseline = migrations.map(({ sql }) => ({ name: '0001-baseline.sql', sql }));
  const column = `alter table ${table} add column nights int`;
  const missing = (name: string) =>
    `0003-new.sql: ${table}.nights: ${name} builds rows of ${table}, but is not replaced`;
  expect(await judge(column, undefined, baseline)).toEqual(builders.map(missing));
  const replacing = (name: string) =>
    `-- accepts ${name}: fills it\ncreate or replace function ${name}() returns int return 1`;
  const all = [column, ...builders.map(replacing)].join(';\n');
  expect(await judge(all, undefined, baseline)).toEqual([]);
});

test('a migration must name its phase', async () => {
  const fault = expect.stringMatching(/^0003-new\.sql: must begin with/);
  expect(await judge('select 1', '-- a new idea')).toEqual([fault]);
});

test('a contracting migration may remove what a published release stopped using', async () => {
  const drop = 'alter table reviews drop column pay';
  expect(await judge(drop, '-- phase: contract after 1.1.0')).toEqual([]);
  const fault = '0003-new.sql: contracts after 1.2.0, which is not released';
  expect(await judge(drop, '-- phase: contract after 1.2.0')).toEqual([fault]);
});

test('skips migrations that a release has, and those before the first release', async () => {
  const drop = { name: '0002-older.sql', sql: 'drop table reviews' };
  expect(await breakingChanges([drop], OUT)).toEqual([]);
  expect(await breakingChanges([{ ...drop, name: '0009-x.sql' }], [])).toEqual([]);
});
