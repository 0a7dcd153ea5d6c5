import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

/** A position in an employer's reviews. */
export interface EmployerPosition {
  employer_id: number;
  title: string;
  count: number;
  newest: Date;
  recent_count: number;
  recent_sum: number;
}

/**
 * The positions in the reviews of these employers, the most frequent first, from the index
 * reviews_by_employer alone. `recent_…` are those since a day.
 */
export async function selectPositions(
  db: Db,
  employerIds: readonly number[],
  since: Date,
): Promise<EmployerPosition[]> {
  const { rows } = await sql<EmployerPosition>`
    select employer_id, min(position_title) as title, count(*), max(created_at) as newest,
      count(*) filter (where created_at >= ${since}) as recent_count,
      coalesce(sum(overall_rating) filter (where created_at >= ${since}), 0) as recent_sum
    from reviews
    where employer_id = any(${employerIds}::integer[]) and removed_reason is null
    group by employer_id, position_key
    order by count(*) desc, title
  `.execute(db);
  return rows;
}

/** Keeps everyone else from writing reviews until the transaction ends; reading continues. */
export async function lockReviews(trx: Db): Promise<void> {
  await sql`lock table reviews in share row exclusive mode`.execute(trx);
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
