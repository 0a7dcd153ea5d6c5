import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ESTABLISHED_PRIOR, ESTABLISHED_WEIGHT } from '#contract/limits.ts';
import { CATEGORIES as LABELED, perCategory } from '#contract/review-choices.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { ratio } from '#server/features/employers/employer-row.ts';
import { mergeEmployers, unmergeEmployer } from '#server/features/office/employers/merges.ts';
import { insertReview } from '#server/features/reviews/rows/queries.ts';
import { ownIds } from '#server/features/reviews/rows/review-authors.ts';
import { testDatabase } from '#server/testing/database.ts';
import { sumColumn } from './brief.ts';

const CATEGORY_KEYS = LABELED.map(([category]) => category);

const CATEGORIES = ['overall' as const, ...CATEGORY_KEYS.map(sumColumn)];
/** The same rating in each category. */
const rating = <T>(value: T) => perCategory(() => value);
const EMPLOYERS = 4;
const clock = () => new Date('2026-11-20T10:00:00Z');

const stars = fc.integer({ min: 1, max: 5 });
const ratings = fc.record({
  ...rating(stars),
  overall_rating: stars,
  immigration_support_rating: fc.option(stars),
  would_recommend: fc.boolean(),
});
const MEDIOCRE = { ...rating(3), immigration_support_rating: null, would_recommend: true };
const employer = fc.nat({ max: EMPLOYERS - 1 });
const author = fc.nat({ max: 4 });
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const act = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write'), author, employer, ratings }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit'), share, ratings }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), share }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('moderate'), share, isOut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move'), author, employer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave'), author }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge'), employer, into: employer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo'), undone: employer }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const keyOf = (who: number) => createHash('sha256').update(`author ${who}`).digest();

/** Merged into itself, already merged, or not merged. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof AppError)) throw error;
};

async function perform(db: Db, employers: readonly number[], what: Act): Promise<unknown> {
  const idOf = (at: number) => employers[at] ?? 0;
  const chosen = async (at: number) => {
    const reviews = await db.selectFrom('reviews').select('id').orderBy('id').execute();
    return reviews[Math.floor(at * reviews.length)]?.id ?? '00000000-0000-0000-0000-000000000000';
  };
  if ('ratings' in what && 'author' in what) {
    return insertReview(db, [keyOf(what.author)], {
      ...what.ratings,
      employer_id: idOf(what.employer),
      created_at: clock(),
      review_text: 'Good colleagues.',
      position_title: 'Hospitalist',
      start_year: 2020,
      is_current_employee: true,
    });
  }
  if ('ratings' in what) {
    const id = await chosen(what.share);
    return db.updateTable('reviews').set(what.ratings).where('id', '=', id).execute();
  }
  if ('isOut' in what) {
    const id = await chosen(what.share);
    const removed_reason = what.isOut ? 'a test' : null;
    return db.updateTable('reviews').set({ removed_reason }).where('id', '=', id).execute();
  }
  const actor = { db, clock };
  if ('share' in what) {
    const id = await chosen(what.share);
    return db.deleteFrom('reviews').where('id', '=', id).execute();
  }
  if ('into' in what) {
    const into = idOf(what.into);
    return mergeEmployers(actor, 'cli', idOf(what.employer), { into }).catch(ignoreRefusal);
  }
  if ('undone' in what) {
    const reason = 'a test';
    return unmergeEmployer(actor, 'cli', idOf(what.undone), { reason }).catch(ignoreRefusal);
  }
  const own = ownIds([keyOf(what.author)]);
  if ('employer' in what) {
    const move = { employer_id: idOf(what.employer), position_title: sql<string>`'Moved ' || id` };
    return db.updateTable('reviews').set(move).where('id', '=', own).execute();
  }
  return db.deleteFrom('reviews').where('id', '=', own).execute();
}

/** The expected ratings, computed from the reviews. */
async function recount(db: Db, employers: readonly number[]) {
  const shown = db.selectFrom('reviews').where('removed_reason', 'is', null);
  const reviews = await shown.selectAll().execute();
  return employers.map((id) => {
    const own = reviews.filter(({ employer_id }) => employer_id === id);
    const figures: Record<string, unknown> = { employer_id: id, total_reviews: own.length };
    const recommended = own.filter(({ would_recommend }) => would_recommend).length;
    const [yes, no] = ['would_recommend 1', 'would_recommend 0'];
    const stars: Record<string, number> = { [no]: own.length - recommended, [yes]: recommended };
    for (const category of CATEGORIES) {
      const given = own.flatMap((review) => review[`${category}_rating`] ?? []);
      for (const star of given) {
        const key = `${category} ${star}`;
        stars[key] = (stars[key] ?? 0) + 1;
      }
      const name = category === 'overall' ? 'overall_rating' : `avg_${category}_rating`;
      const mean = given.reduce((sum, one) => sum + one, 0) / given.length;
      figures[name] = given.length === 0 ? null : expect.closeTo(mean, 4);
    }
    const sum = own.reduce((total, { overall_rating }) => total + overall_rating, 0);
    const weighted = ESTABLISHED_WEIGHT * ESTABLISHED_PRIOR + sum;
    const established = weighted / (ESTABLISHED_WEIGHT + own.length);
    figures['established'] = own.length === 0 ? null : established;
    // There are no rows for stars that no review gives.
    figures['stars'] = Object.fromEntries(Object.entries(stars).filter(([, number]) => number > 0));
    return figures;
  });
}

test('an average rounded to one decimal is the mean rounded to one decimal', async () => {
  const { db } = await testDatabase();
  const row = { source: 'demo', name: 'Cedar Valley Hospital', employer_type: 'hospital' };
  const [employer] = await db.insertInto('employers').values(row).returning('id').execute();
  // Rounded to two decimals, their mean is 4.65.
  const given = [...Array(11).fill(5), ...Array(6).fill(4)];
  for (const [author, overall_rating] of given.entries()) {
    const ratings = { ...MEDIOCRE, overall_rating };
    await perform(db, [employer?.id ?? 0], { do: 'write', author, employer: 0, ratings });
  }
  const kept = await db.selectFrom('employer_ratings').selectAll().executeTakeFirstOrThrow();
  expect(kept.overall_rating?.toFixed(1)).toBe('4.6');
  expect(ratio(79, 17)?.toFixed(1)).toBe('4.6');
});

test('each category counts for itself, in an edit of it alone too', async () => {
  const { db } = await testDatabase();
  const row = { source: 'demo', name: 'Cedar Valley Hospital', employer_type: 'hospital' };
  const [employer] = await db.insertInto('employers').values(row).returning('id').execute();
  const ratings = { ...MEDIOCRE, overall_rating: 3, ...rating(1) };
  await perform(db, [employer?.id ?? 0], { do: 'write', author: 0, employer: 0, ratings });
  await db.updateTable('reviews').set({ specialty: 'Hospital Medicine' }).execute();
  const expected: Partial<Record<string, number>> = { ...rating(1) };
  for (const [at, category] of CATEGORY_KEYS.entries()) {
    expected[category] = 2 + (at % 4);
    await db
      .updateTable('reviews')
      .set({ [category]: expected[category] })
      .execute();
    const kept = await db.selectFrom('employer_ratings').selectAll().executeTakeFirstOrThrow();
    const sums = await db.selectFrom('employer_specialties').selectAll().executeTakeFirstOrThrow();
    const spread = await db.selectFrom('employer_stars').selectAll().execute();
    for (const name of CATEGORY_KEYS) {
      const stars = spread.find((one) => one.category === sumColumn(name))?.stars;
      const figures = [kept[`avg_${name}`], sums[sumColumn(name)], stars];
      expect([name, ...figures]).toEqual([name, ...Array(3).fill(expected[name])]);
    }
  }
});

test('50 reviews of one employer at once all count', async () => {
  const { db } = await testDatabase();
  const row = { source: 'demo', name: 'Cedar Valley Hospital', employer_type: 'hospital' };
  const [employer] = await db.insertInto('employers').values(row).returning('id').execute();
  const ids = [employer?.id ?? 0];
  await Promise.all(
    Array.from({ length: 50 }, (_, author) => {
      const ratings = { ...MEDIOCRE, overall_rating: 1 + (author % 5) };
      return perform(db, ids, { do: 'write', author, employer: 0, ratings });
    }),
  );
  const kept = await db.selectFrom('employer_ratings').selectAll().executeTakeFirstOrThrow();
  expect(kept).toMatchObject({ total_reviews: 50, overall_rating: 3 });
});

test('ratings always match the reviews, even after concurrent changes', async () => {
  const { db } = await testDatabase();
  const steps = fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(steps, async (atOnce) => {
      await db.deleteFrom('reviews').execute();
      const rows = Array.from({ length: EMPLOYERS }, (_, at) => ({
        ...{ source: 'demo', name: `Hospital ${at}`, employer_type: 'hospital' },
        state: at % 2 === 0 ? 'TX' : 'VT',
      }));
      const employers = await db.insertInto('employers').values(rows).returning('id').execute();
      const ids = employers.map(({ id }) => id).sort((a, b) => a - b);
      const stars = sql`coalesce((
        select json_object_agg(category || ' ' || stars, number) from employer_stars
        where employer_stars.employer_id = employer_ratings.employer_id), '{}')`.as('stars');
      const stored = db.selectFrom('employer_ratings').selectAll().select(stars);
      for (const acts of atOnce) {
        await Promise.all(acts.map((what) => perform(db, ids, what)));
        const kept = await stored.where('employer_id', 'in', ids).orderBy('employer_id').execute();
        expect(kept).toEqual(await recount(db, ids));
      }
    }),
    { numRuns: 30 },
  );
}, 120_000);
