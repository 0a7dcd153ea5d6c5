import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { serverWithStoredSecrets } from '#server/cli/testing/stored-secrets.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { deviceOf, newDevice, PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import { lock, newPoster } from '#server/features/accounts/testing/locked-account.ts';
import { insertReviews } from '#server/features/reviews/testing/many-reviews.ts';
import type { Site } from '#server/testing/site.ts';

const MANY = 1000;

/**
 * A site where each author has two published reviews and one that waits, among many by others, after
 * a rewrite.
 */
async function siteWithAuthors() {
  const { server: site } = await serverWithStoredSecrets();
  await insertReviews(site, MANY, {
    createdAt: sql`'2026-11-20'`,
    stars: sql`1 + n % 5`,
    text: sql`repeat('word ', n % 200 + 1)`,
  });
  const author = async () => {
    const member = await newPoster(site);
    for (const publish of ['now', 'now', 'later'] as const) {
      await site.review({ by: member, publish });
    }
    return member;
  };
  const authors = {
    locking: await author(),
    unlocking: await author(),
    leaving: await author(),
    leavingGradually: await author(),
    staying: await author(),
  };
  await rewriteTables(site.deps.database.background.pool);
  return { site, authors };
}

type Authors = Awaited<ReturnType<typeof siteWithAuthors>>['authors'];

/** All that changes author keys, one after the other. `watch` runs after each. */
async function changeKeys(site: Site, authors: Authors, watch: (act: string) => Promise<unknown>) {
  const leave = (who: keyof Authors, reviews: 'keep' | 'delete_gradually') =>
    site.as(authors[who]).post(accountEndpoints.delete, { password: PASSWORD, reviews });
  const locked = await lock(site, authors.locking);
  await watch('lock');
  const other = await lock(site, authors.unlocking);
  const { body } = await site
    .as(other)
    .post(accountEndpoints.unlockReviews, { password: PASSWORD });
  expect(deviceOf(body)).toBeDefined();
  await watch('unlock');
  expect((await leave('leaving', 'keep')).status).toBe(200);
  await watch('leave');
  expect((await leave('leavingGradually', 'delete_gradually')).status).toBe(200);
  await watch('leave gradually');
  expect(await curbside(site, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  await watch('rotate');
  // The first log-in after a rotation moves the reviews of a locked account.
  await newDevice(site, locked.email);
  await watch('log in');
}

test('locking, unlocking, rotating, and leaving write and lock no row of the reviews', async () => {
  const { site, authors } = await siteWithAuthors();
  const places = async () => {
    // The transaction that wrote a row may have locked it, too, until any vacuum removes that mark.
    const { rows } = await site.deps.database.pool.query(
      `select id, ctid::text, xmin::text, nullif(nullif(xmax::text, xmin::text), '0') as locked_by
       from reviews order by id`,
    );
    return rows;
  };
  const before = await places();
  expect(before).toHaveLength(MANY + 10);
  await changeKeys(site, authors, async (act) => {
    expect([act, await places()]).toEqual([act, before]);
  });
});

test('after the rewrite, the log of the embedded database has no earlier key', async ({ skip }) => {
  const { site, authors } = await siteWithAuthors();
  const { pool } = site.deps.database.background;
  const { rows: settings } = await pool.query('show wal_recycle');
  skip(settings[0]?.wal_recycle === 'on', 'a server that overwrites its log some day');
  const filesWith = async (key: Buffer) => {
    // Writes what is still in memory.
    await pool.query("set synchronous_commit = on; select pg_logical_emit_message(true, '', '')");
    const { rows } = await pool.query<{ name: string }>(
      `select name from pg_ls_waldir()
       where position($1::bytea in pg_read_binary_file('pg_wal/' || name, 0, size, true)) > 0`,
      [key],
    );
    return rows;
  };
  // Several, because the header of a page may divide a key.
  for (let reviews = 0; reviews < 3; reviews += 1) await site.review({ by: authors.locking });
  const key = site.deps.keys.authorKey(authors.locking.id);
  expect(await filesWith(key)).not.toEqual([]);
  await lock(site, authors.locking);
  await rewriteTables(pool);
  expect(await filesWith(key)).toEqual([]);
});

test('after a change of author keys and the rewrite, no file of the database has an earlier key', async () => {
  const { site, authors } = await siteWithAuthors();
  const { pool } = site.deps.database.background;
  /** The files of the database with these bytes. */
  const filesWith = async (key: Buffer) => {
    const { rows } = await pool.query<{ file: string }>(
      `with folder as (select regexp_replace(pg_relation_filepath('reviews'), '/[^/]*$', '') as name)
       select coalesce(relname, file) as file
       from folder, pg_ls_dir(name) as file left join pg_class on relfilenode::text = file
       where position($1::bytea in pg_read_binary_file(name || '/' || file)) > 0`,
      [key],
    );
    return rows.map(({ file }) => file);
  };
  const earlier = Object.entries(authors).map(
    ([who, { id }]) => [who, site.deps.keys.authorKey(id)] as const,
  );
  await pool.query('checkpoint');
  for (const [who, key] of earlier)
    expect([who, (await filesWith(key)).length > 0]).toEqual([who, true]);

  await changeKeys(site, authors, async () => {});
  await rewriteTables(pool);
  await pool.query('checkpoint');
  for (const [who, key] of earlier) expect([who, await filesWith(key)]).toEqual([who, []]);
  const current = site.deps.keys.authorKey(authors.staying.id);
  // Of several partitions.
  expect(new Set((await filesWith(current)).map((file) => file.replace(/_\d/, '')))).toEqual(
    new Set(['review_authors', 'review_authors_author_key_job_key']),
  );
});
