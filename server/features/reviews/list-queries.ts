import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ReviewFilterOptions } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import { offsetOf } from '#server/paging.ts';
import { type Criteria, meetFilters, ORDERS, stateOf } from './filter.ts';
import { REVIEW_COLUMNS } from './review-row.ts';

/** Above so many matches a search is answered newest first: ranking would read all of them. */
const MOST_RANKED = 2000;

/** The search as a query of word prefixes, mistyped words replaced; null without a word. */
export async function understandSearch(db: Db, search: string): Promise<string | null> {
  const { rows } = await sql<{
    query: string | null;
  }>`select public.forgiving_query(${search})::text as query`.execute(db);
  return rows[0]?.query ?? null;
}

/**
 * One page of the published reviews. It is found in an index that has its order
 * (reviews_newest, reviews_highest, …); of the rows, only the page's own are read.
 */
export function selectPage(db: Db, criteria: Criteria) {
  const order = ORDERS[criteria.ordering ?? '-created_at'];
  const ids = meetFilters(db.selectFrom('reviews'), criteria).select('id').orderBy(order);
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('id', 'in', paged(ids, criteria))
    .orderBy(order)
    .execute();
}

interface Breadth {
  /** How many reviews match. */
  found: number;
  /** How many there are. */
  total: number;
}

/**
 * One page of what a search finds. A narrow search is looked up (reviews_search) and then put in
 * order; a broad one reads down the order until the page is full. `found` and `total` tell which
 * reads fewer rows.
 */
export function selectMatches(
  db: Db,
  criteria: Criteria,
  tsquery: string,
  { found, total }: Breadth,
) {
  const query = sql`${tsquery}::tsquery`;
  const isRanked = criteria.ordering === undefined && found <= MOST_RANKED;
  const order = isRanked
    ? sql`ts_rank(search, ${query}) desc, created_at desc, id`
    : ORDERS[criteria.ordering ?? '-created_at'];
  const isNarrow = isRanked || found ** 2 <= (offsetOf(criteria) + criteria.page_size) * total;
  const page = (isNarrow ? lookedUp : readDown)(db, criteria, query);
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('id', 'in', paged(page.orderBy(order), criteria))
    .orderBy(order)
    .execute();
}

type Ids = SelectQueryBuilder<DB, 'reviews', { id: string }>;

function lookedUp(db: Db, criteria: Criteria, query: RawBuilder<unknown>): Ids {
  const matches = meetFilters(db.selectFrom('reviews'), criteria)
    .select(['id', 'search', 'created_at', 'overall_rating', 'helpful_count'])
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

/** A limit that is a parameter would be planned for as a tenth of the table. */
function paged(ids: Ids, criteria: Criteria): Ids {
  const limited = ids.limit(sql.lit(criteria.page_size));
  return criteria.page === 1 ? limited : limited.offset(offsetOf(criteria));
}

/** How many published reviews meet the criteria. */
export function countReviews(db: Db, criteria: Criteria): Promise<number> {
  const { employer_id, tsquery, position_title, city, ...kinds } = criteria;
  if (tsquery || position_title || city) return countRows(db, criteria);
  if (employer_id === undefined) return sumCounts(db, kinds);
  const isWhole = Object.values(kindsOf(kinds)).every((value) => value === undefined);
  return isWhole ? countOfEmployer(db, employer_id) : countRows(db, criteria);
}

const kindsOf = ({ state, min_rating, would_recommend, is_current_employee }: Criteria) => ({
  state,
  min_rating,
  would_recommend,
  is_current_employee,
});

async function countRows(db: Db, criteria: Criteria): Promise<number> {
  const { tsquery } = criteria;
  const { count } = await meetFilters(db.selectFrom('reviews'), criteria)
    .$if(!!tsquery, (q) => q.where(sql<SqlBool>`search @@ ${tsquery}::tsquery`))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** From the counts that a trigger keeps: a few rows, whatever the number of reviews. */
async function sumCounts(db: Db, filter: Criteria): Promise<number> {
  const { count } = await db
    .selectFrom('review_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('total'), eb.lit(0)).as('count'))
    .$if(!!filter.state, (q) => q.where('state', '=', stateOf(filter)))
    .$if(filter.min_rating !== undefined, (q) =>
      q.where('overall_rating', '>=', filter.min_rating ?? 0),
    )
    .$if(!!filter.would_recommend, (q) =>
      q.where('would_recommend', '=', filter.would_recommend === 'true'),
    )
    .$if(!!filter.is_current_employee, (q) =>
      q.where('is_current_employee', '=', filter.is_current_employee === 'true'),
    )
    .executeTakeFirstOrThrow();
  return count;
}

async function countOfEmployer(db: Db, employerId: number): Promise<number> {
  const row = await db
    .selectFrom('employer_ratings')
    .select('total_reviews')
    .where('employer_id', '=', employerId)
    .executeTakeFirst();
  return row?.total_reviews ?? 0;
}

type Values = Pick<ReviewFilterOptions, 'position_titles' | 'states' | 'cities' | 'total_reviews'>;

/**
 * What the list's filters can be set to, from the reviews that are there. Each value is found by
 * a step down its index, past all reviews that share the one before; the newest spells it.
 */
export async function selectFilterValues(db: Db): Promise<Values> {
  const [position_titles, states, cities, total_reviews] = await Promise.all([
    distinct(db, 'position_key', 'position_title'),
    distinct(db, 'employer_state', 'employer_state'),
    distinct(db, 'city_key', 'employer_city'),
    sumCounts(db, { page: 1, page_size: 1 }),
  ]);
  return { position_titles, states, cities, total_reviews };
}

async function distinct(db: Db, key: string, spelled: string): Promise<string[]> {
  const step = (after: string) => sql`
    select ${sql.ref(key)} as key, ${sql.ref(spelled)} as spelled from reviews
    where removed_reason is null and ${sql.ref(key)} > ${sql.raw(after)}
    order by ${sql.ref(key)}, created_at desc, id limit 1`;
  const { rows } = await sql<{ spelled: string }>`
    with recursive found as (
      (${step("''")})
      union all
      select next.key, next.spelled from found, lateral (${step('found.key')}) as next
    )
    select spelled from found order by public.fold(spelled), spelled`.execute(db);
  return rows.map((row) => row.spelled);
}
