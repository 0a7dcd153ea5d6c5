import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { FROZEN, REWRITTEN, REWRITTEN_ANEW } from '#server/db/rewrite.ts';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';

const test = testWith();

const rows = async ({ deps }: Site, sql: string) =>
  (await deps.database.background.pool.query(sql)).rows;

/** The tables with a row that one of these transactions locked. */
async function lockedBy(site: Site, { from, to }: { from: string; to: string }) {
  const tables = await rows(
    site,
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const locked = `select from ${name} where xmax::text::bigint between ${from} and ${to} limit 1`;
    if ((await rows(site, locked)).length > 0) found.push(name);
  }
  return found;
}

test('after the rewrite, no row shows which transaction locked it', async ({ site }) => {
  const { pool } = site.deps.database.background;
  const doctor = await site.doctor();
  const member = site.as(doctor);
  const read = await site.review();
  const own = await site.review({ by: doctor });
  const removal = { reason: 'It names a colleague.', rule: 'private_persons' } as const;
  await site.as(await site.admin()).post(moderationEndpoints.remove, removal, at(own.id));
  await site.jobs.idle();
  // Otherwise the reviews would move.
  await rewriteTables(pool);
  const now = async () => (await rows(site, 'select pg_current_xact_id()::text as id'))[0].id;

  const from = await now();
  await site.review({ by: doctor, publish: 'later' });
  const correction = { field: 'city', value: 'Chicago', source: 'Their website' } as const;
  await member.post(employerEndpoints.correct, correction, at(await site.employer()));
  await member.post(reviewEndpoints.appeal, { text: 'I named nobody.' }, at(own.id));
  await member.post(feedbackEndpoints.report, { reason: 'other', note: '' }, at(read.id));
  const acts = { from, to: await now() };
  expect(await lockedBy(site, acts)).toEqual(expect.arrayContaining(['employers', 'reviews']));
  await rewriteTables(pool);
  expect(await lockedBy(site, acts)).toEqual([]);
});

test('every table that a foreign key refers to is rewritten or frozen', async ({ site }) => {
  const referred = await rows(
    site,
    "select distinct confrelid::regclass::text as name from pg_constraint where contype = 'f'",
  );
  const known = [...Object.keys(REWRITTEN), ...REWRITTEN_ANEW, ...FROZEN];
  expect(known).toEqual(expect.arrayContaining(referred.map(({ name }) => name)));
});
