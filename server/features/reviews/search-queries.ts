import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { offsetOf } from '#server/paging.ts';
import { type Criteria, meetFilters, ORDERS } from './filter.ts';
import { type Ids, paged } from './list-queries.ts';
import { REVIEW_COLUMNS } from './review-row.ts';

/** Above so many matches a search is answered newest first: ranking would read all of them. */
const MOST_RANKED = 2000;

/** The search as a query of known words, mistyped ones replaced; null without a word. */
export async function understandSearch(db: Db, search: string): Promise<string | null> {
  const { rows } = await sql<{
    query: string | null;
  }>`select public.forgiving_query(${search})::text as query`.execute(db);
  return rows[0]?.query ?? null;
}

/**
 * How many reviews a search finds, up to SEARCH_COUNT_MAX; and about how many there are if more,
 * as the planner has it.
 */
export async function countMatches(
  db: Db,
  criteria: Criteria,
  tsquery: string,
): Promise<{ count: number; found: number }> {
  const matches = meetFilters(db.selectFrom('reviews'), criteria)
    .where(sql<SqlBool>`search @@ ${tsquery}::tsquery`)
    .select('id');
  const { count } = await db
    .selectFrom(matches.limit(sql.lit(SEARCH_COUNT_MAX)).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < SEARCH_COUNT_MAX) return { count, found: count };
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
  }>`explain (format json) ${matches}`.execute(db);
  const estimate = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  return { count, found: Math.max(count, estimate) };
}

interface Breadth {
  /** How many reviews match, about. */
  found: number;
  /** How many there are. */
  total: number;
}

/** A review that a page of the newest begins after. */
export interface Boundary {
  created_at: Date;
  id: string;
}

/** Whether the answer comes newest first: where that is asked for, or nothing and there are many. */
export const isByDate = ({ ordering }: Criteria, found: number) =>
  ordering === '-created_at' || (ordering === undefined && found > MOST_RANKED);

/**
 * One page of what a search finds. A narrow search is looked up (reviews_search) and then put in
 * order; a broad one reads down the order until the page is full. `found` and `total` tell which
 * reads fewer rows. `after`, where it is known, spares reading down to the page.
 */
export function selectMatches(
  db: Db,
  criteria: Criteria,
  tsquery: string,
  { found, total }: Breadth,
  after?: Boundary,
) {
  const query = sql`${tsquery}::tsquery`;
  const isRanked = criteria.ordering === undefined && !isByDate(criteria, found);
  const order = isRanked
    ? sql`ts_rank(search, ${query}) desc, created_at desc, id`
    : ORDERS[criteria.ordering ?? '-created_at'];
  const place = after ? { ...criteria, page: 1 } : criteria;
  const isNarrow = isRanked || found ** 2 <= (offsetOf(place) + place.page_size) * total;
  const matches = (isNarrow ? lookedUp : readDown)(db, criteria, query);
  const page = after ? matches.where(isAfter(after)) : matches;
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('id', 'in', paged(page.orderBy(order), place))
    .orderBy(order)
    .execute();
}

/** The last match before a page of the newest. */
export async function selectBoundary(
  db: Db,
  criteria: Criteria,
  tsquery: string,
  breadth: Breadth,
): Promise<Boundary | undefined> {
  const before = { ...criteria, page: offsetOf(criteria), page_size: 1 };
  const [last] = await selectMatches(db, before, tsquery, breadth);
  return last;
}

const isAfter = ({ created_at, id }: Boundary) =>
  sql<SqlBool>`created_at <= ${created_at} and (created_at < ${created_at} or id > ${id})`;

function lookedUp(db: Db, criteria: Criteria, query: RawBuilder<unknown>): Ids {
  const matches = meetFilters(db.selectFrom('reviews'), criteria)
    .select(['id', 'search', 'created_at', 'overall_rating', 'helpful_score'])
    .where(sql<SqlBool>`search @@ ${query}`);
  return db
    .with(
      (cte) => cte('matches').materialized(),
      () => matches,
    )
    .selectFrom('matches')
    .select('id') as unknown as Ids;
}

function readDown(db: Db, criteria: Criteria, query: RawBuilder<unknown>): Ids {
  return (
    meetFilters(db.selectFrom('reviews'), criteria)
      .select('id')
      // "is true" keeps the planner from looking all of them up.
      .where(sql<SqlBool>`(search @@ ${query}) is true`)
  );
}
