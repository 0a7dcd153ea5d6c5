import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { plansOf } from '#server/testing/plans.ts';
import { newSite, type Site, test } from '#server/testing/site.ts';
import * as feedback from './feedback/votes-and-reports.ts';
import * as queries from './rows/queries.ts';
import * as authors from './rows/review-authors.ts';
import * as scheduled from './rows/scheduled-queries.ts';
import { insertReviews } from './testing/many-reviews.ts';

const REVIEW_COUNT = 3000;
const AUTHORS = 20_000;

const keyOf = (n: number) => createHash('sha256').update(`${n}`).digest();
const ID = crypto.randomUUID();
const SCANS = /Seq Scan on (review_authors|reviews)(_\d)?\b/;
const JOB = { employer_id: 1, position_title: 'Fellow' };

const STATEMENTS: Record<string, (db: Db) => Promise<unknown>> = {
  'own published reviews': (db) => queries.selectByAuthor(db, [keyOf(1), keyOf(2)]),
  'own waiting reviews': (db) => scheduled.selectByAuthor(db, [keyOf(1), keyOf(2)]),
  'one own review': (db) => queries.selectOwn(db, ID, [keyOf(1), keyOf(2)]),
  'the same job': (db) => queries.findSame(db, [keyOf(1)], 1, 'Fellow'),
  'which of a page': (db) => feedback.selectOwn(db, [ID], [keyOf(1)]),
  due: (db) => scheduled.selectDue(db, new Date()),
  'a new author': (db) => authors.authorOf(db, [keyOf(-1)], JOB).execute(),
  'an edit': (db) => authors.changeJob(db, ID, JOB),
  'a deletion': (db) => queries.deleteOwn(db, 'reviews', ID, [keyOf(1)]),
  'all deletions': (db) => queries.deleteByAuthor(db, 'reviews', [keyOf(1)]),
  leaving: (db) => authors.disownByAuthor(db, [keyOf(1)]),
  'a lock': (db) => authors.rekeyAuthors(db, [{ old: keyOf(1), next: keyOf(-2) }]),
  'a rotation': (db) =>
    authors.rekeyAuthors(
      db,
      Array.from({ length: 500 }, (_, n) => ({ old: keyOf(2 * n), next: keyOf(-3 - n) })),
    ),
};

test('every statement looks authors up in an index, with and without statistics', async () => {
  const { db, database } = await siteWithMany();
  for (const analyzed of [false, true]) {
    if (analyzed) await database.background.pool.query('analyze');
    for (const [name, run] of Object.entries(STATEMENTS)) {
      for (const plan of await plansOf(db, run)) {
        expect([name, plan]).toEqual([name, expect.not.stringMatching(SCANS)]);
      }
    }
  }
  const { rows } = await database.pool.query(
    `select attname from pg_statistic join pg_attribute on starelid = attrelid and staattnum = attnum
     where attrelid in (select relid from pg_partition_tree('review_authors'))`,
  );
  expect(rows).toEqual([]);
});

async function siteWithMany() {
  const site = await newSite();
  await insertReviews(site, REVIEW_COUNT, {
    createdAt: sql`'2026-11-20'`,
    stars: sql`1 + n % 5`,
    text: sql`'word'`,
  });
  // Without the time limit of a request's statements.
  const { db } = site.deps.database.background;
  await sql`
    insert into review_authors (review_id, author_key, job)
    select md5(n::text)::uuid, sha256((n / 2)::text::bytea), substring(sha256(n::text::bytea) for 16)
    from generate_series(1, ${AUTHORS}) as n`.execute(db);
  await sql`
    insert into scheduled_reviews (id, employer_id, publish_at, overall_rating,
      work_life_balance_rating, mentorship_growth_rating, team_collaboration_rating,
      compensation_benefits_rating, review_text, position_title, start_year, is_current_employee,
      would_recommend)
    select gen_random_uuid(), (select min(id) from employers), '2026-11-20', 3, 3, 3, 3, 3, 'word',
      'Fellow', 2020, true, true
    from generate_series(1, ${REVIEW_COUNT})`.execute(db);
  return site.deps;
}

/** The rows of these reviews' authors whose job is not that of the review. */
async function staleJobs({ deps }: Site, ids: readonly string[]) {
  const { rows } = await deps.database.pool.query(
    `select id from reviews left join review_authors on review_id = id
     where id = any ($1)
       and job is distinct from review_job(coalesce(merged_from, employer_id), null, null, null, position_title)`,
    [ids],
  );
  return rows;
}

test('once per employer and position holds through edits and merges', async ({ site }) => {
  const [from, into] = [await site.employer(), await site.employer()];
  const [curator, author] = [site.as(await site.admin()), await site.doctor()];
  const me = site.as(author);
  const write = (employer: number, position_title = 'Hospitalist') =>
    me.post(reviewEndpoints.create, reviewOf(employer, { position_title }));
  const first = (await write(from)).body;
  const second = (await write(into)).body;
  const edit = reviewOf(from, { position_title: 'Chief' });
  const refused = async () => {
    for (const [employer, title, id] of [
      [from, 'CHIEF', first.id],
      [into, 'hospitalist', second.id],
    ] as const) {
      const { problem } = await write(employer, title);
      expect(problem).toMatchObject({ code: 'duplicate_review', review_id: id });
    }
    expect(await staleJobs(site, [first.id, second.id])).toEqual([]);
  };
  await me.patch(reviewEndpoints.edit, edit, { params: { id: first.id } });
  await refused();
  const at = { params: { id: from } };
  expect((await curator.post(employerEndpoints.merge, { into }, at)).status).toBe(200);
  await refused();
  expect((await curator.post(employerEndpoints.unmerge, { reason: 'Two' }, at)).status).toBe(200);
  await refused();
  // The title that the edit gave up is free.
  const again = await write(from);
  expect(again.status).toBe(201);
  expect(await staleJobs(site, [again.body.id])).toEqual([]);
});

test('the row of an author goes with the review, published or waiting', async ({ site }) => {
  const author = await site.doctor();
  for (const publish of ['now', 'later'] as const) {
    const { id } = await site.review({ by: author, publish });
    const rows = () => site.rows('review_authors', { review_id: id });
    expect(await rows()).toHaveLength(1);
    await site.as(author).delete(reviewEndpoints.delete, { params: { id } });
    expect(await rows()).toEqual([]);
  }
});
