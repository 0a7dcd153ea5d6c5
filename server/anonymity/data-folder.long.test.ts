import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { insertReviews } from '#server/features/reviews/testing/many-reviews.ts';
import { type AttackedSite, buildAttackedSite } from './testing/attacked-site.ts';
import { dumpRows } from './testing/dump.ts';
import { CERTAIN, learn } from './testing/measure.ts';
import { needlesOf, occurrences } from './testing/needles.ts';
import { dumpedBytes } from './testing/open-dump.ts';
import { ALL_KEYS } from './testing/thief.ts';
import { reviewsOf } from './testing/truth.ts';

let site: AttackedSite;
let pool: pg.Pool;
beforeAll(async () => {
  site = await buildAttackedSite(100, { count: 300, from: 30 }, dumpRows);
  pool = site.server.deps.database.pool;
});
afterAll(() => site.server[Symbol.asyncDispose]());

/** The files of the data folder outside those of databases and of the write-ahead log. */
async function* otherFiles(folder = '.'): AsyncGenerator<{ path: string; bytes: Buffer }> {
  const { rows } = await pool.query<{ path: string; isdir: boolean }>(
    `select path, isdir from (
       select $1 || '/' || name as path from pg_ls_dir($1) as name
     ) as entry, pg_stat_file(path, true)
     where isdir is not null and path not in ('./base', './pg_wal') and path not like '%/.s.%'`,
    [folder],
  );
  for (const { path, isdir } of rows) {
    if (isdir) yield* otherFiles(path);
    else {
      const { rows: read } = await pool.query<{ bytes: Buffer | null }>(
        'select pg_read_binary_file($1, 0, 1000000000, true) as bytes',
        [path],
      );
      yield { path, bytes: read[0]?.bytes ?? Buffer.alloc(0) };
    }
  }
}

test('the rest of the data folder has no id and no key of an account, author, or review', async () => {
  const { after, server, authors } = site;
  await pool.query('checkpoint');
  const needles = needlesOf([
    ...[...after.tables.values()]
      .flat()
      .flatMap(({ columns }) => Object.values(columns))
      .map(String),
    ...[...authors].flatMap(([id, { keys }]) =>
      [...keys, ...server.deps.keys.authorKeys(id)].map(dumpedBytes),
    ),
  ]);
  const files: string[] = [];
  const found: string[] = [];
  for await (const { path, bytes } of otherFiles()) {
    files.push(path);
    if (occurrences(bytes, needles).length > 0) found.push(path);
  }
  expect(files).toContain('./global/pg_control');
  expect(found).toEqual([]);
});

test('a sort that does not fit memory leaves no file behind', async () => {
  await insertReviews(site.server, 3000, {
    createdAt: sql`'2026-11-20'`,
    stars: sql`1 + n % 5`,
    text: sql`repeat(md5(n::text), 20)`,
  });
  const client = await pool.connect();
  const spilled = async () => {
    const { rows } = await client.query<{ temp_files: string }>(
      `select pg_stat_force_next_flush(), temp_files::text from pg_stat_database
       where datname = current_database()`,
    );
    return Number(rows[0]?.temp_files);
  };
  const before = await spilled();
  await client.query("set work_mem = '64kB'");
  await client.query('select id, review_text from reviews order by review_text');
  await client.query('select pg_stat_force_next_flush()');
  expect(await spilled()).toBeGreaterThan(before);
  const { rows: left } = await client.query(
    "select name from pg_ls_tmpdir() where name like 'pgsql\\_tmp' || pg_backend_pid() || '.%'",
  );
  client.release(true);
  expect(left).toEqual([]);
});

test('jobs that wait show when an account was active to the sealing key only', async () => {
  const { deps } = site.server;
  const target = reviewsOf(site, 'locked');
  expect(target.pairs.length).toBeGreaterThan(25);
  const { rows } = await pool.query<{ id: string; created_at: Date }>(
    'select id, created_at from reviews where id = any($1) order by created_at',
    [target.pairs.map(({ key }) => key)],
  );
  const seen: string[] = [];
  for (const { id, created_at } of rows) {
    const userId = target.pairs.find(({ key }) => key === id)?.owner ?? '';
    await deps.jobs.enqueue(deps.db, 'verify-npi', { userId }, { startAfterSeconds: 3600 });
    const { rows: added } = await pool.query<{ id: string }>(
      `update pgboss.job set created_on = $1
       where name = 'verify-npi' and not id = any($2::uuid[]) returning id`,
      [created_at, seen],
    );
    seen.push(...added.map((job) => job.id));
  }
  await rewriteTables(pool);
  await pool.query("delete from pgboss.job where name = 'rewrite'");
  const dump = await dumpRows(pool);
  const unsealed = learn(site, dump, ['SEALING_KEYS'], target).best;
  expect(unsealed.byChance, unsealed.by).toBeLessThan(CERTAIN);
  const others = ALL_KEYS.filter((key) => key !== 'SEALING_KEYS');
  for (const holds of [[], others]) {
    const { best, accounts } = learn(site, dump, holds, target);
    expect([accounts, best.byChance > CERTAIN, best.by]).toEqual([0, true, best.by]);
  }
});
