import { type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { conditionsOf, isNameable } from '#server/listing/filters.ts';
import { filtersOf, IS_LISTED, type ReviewFilters } from './list-filters.ts';

/** The number of published reviews by rating that meet all criteria except a range of ratings. */
export async function selectHistogram(
  db: Db,
  criteria: ReviewFilters,
): Promise<[rating: number, count: number][]> {
  const isCounted = criteria.employer_id === undefined && !criteria.city;
  const rows = await (isCounted ? sumCounts(db, criteria) : countByRating(db, criteria)).execute();
  return rows.map(({ overall_rating, count }) => [overall_rating, count]);
}

function countByRating(db: Db, criteria: ReviewFilters) {
  const filters = filtersOf(criteria);
  return [IS_LISTED, ...conditionsOf(filters)]
    .reduce((reviews, condition) => reviews.where(condition), db.selectFrom('reviews'))
    .select(['overall_rating', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('overall_rating')
    .$if(!isNameable(filters), (counts) => counts.modifyEnd(UNNAMED));
}

/**
 * Adds up the counts that a trigger maintains: a few rows for any number of reviews. The plan must
 * know the values, to find one state's rows with the primary key.
 */
function sumCounts(db: Db, criteria: ReviewFilters) {
  const { position_title, specialty, state, would_recommend, is_current_employee } = criteria;
  return db
    .selectFrom('review_counts')
    .select(['overall_rating', (eb) => eb.fn.sum<number>('total').as('count')])
    .where(
      'position_key',
      '=',
      sql<string>`coalesce(public.name_key(${position_title || null}), '*')`,
    )
    .where('specialty', '=', sql<string>`coalesce(${specialty ?? null}, '*')`)
    .where(sql<SqlBool>`state = coalesce(upper(${state || null}), state)`)
    .where(sql<SqlBool>`would_recommend = coalesce(${would_recommend ?? null}, would_recommend)`)
    .where(
      sql<SqlBool>`is_current_employee = coalesce(${is_current_employee ?? null}, is_current_employee)`,
    )
    .groupBy('overall_rating')
    .modifyEnd(UNNAMED);
}
