import { sql } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';

/**
 * The positions in the reviews of the employer `employers` in the enclosing query, most frequent
 * first, from the index reviews_by_employer alone. `count` is in the specialty, if there is one.
 * `recent_…` are those since a given day.
 */
export const positionsWithRecent = (since: Date, specialty: string | null) => sql`(
  select coalesce(json_agg(positions order by count desc, title), '[]') from (
    select min(position_title) as title,
      count(*) filter (where ${specialty}::text is null or specialty = ${specialty}),
      max(created_at) as newest,
      count(*) filter (where created_at >= ${since}) as recent_count,
      coalesce(sum(overall_rating) filter (where created_at >= ${since}), 0) as recent_sum
    from reviews
    where employer_id = employers.id and removed_reason is null
    group by position_key
  ) as positions)`;

/** Blocks all other writers of reviews until the transaction ends; reads continue. */
export async function lockReviews(trx: Db): Promise<void> {
  await sql`lock table reviews in share row exclusive mode`.execute(trx);
}

/** All reviews of an employer, including those that are not public. */
export async function countReviews(db: Db, employerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('reviews')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('employer_id', '=', employerId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Moves all reviews to the employer that another one was merged into. Returns how many. */
export async function moveReviews(trx: Db, from: number, into: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reviews')
    .set((eb) => ({
      employer_id: into,
      merged_from: eb.fn.coalesce('merged_from', 'employer_id'),
    }))
    .where('employer_id', '=', from)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Moves the reviews that came from an employer, or from those merged into it earlier, back to it.
 * Returns how many. `written_for` does not change, and so neither do the jobs in `review_authors`.
 */
export async function returnReviews(
  trx: Db,
  { current, id, followed }: { current: number; id: number; followed: readonly number[] },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reviews')
    .set({ employer_id: id, merged_from: sql`nullif(merged_from, ${id}::integer)` })
    .where('employer_id', '=', current)
    .where('merged_from', '=', anyOf('integer', [id, ...followed]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
