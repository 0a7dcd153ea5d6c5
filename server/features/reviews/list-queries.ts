import { type SelectQueryBuilder, sql } from 'kysely';
import type { ReviewFilterOptions } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import { offsetOf } from '#server/paging.ts';
import { type Criteria, meetFilters, ORDERS, stateOf } from './filter.ts';
import { REVIEW_COLUMNS } from './review-row.ts';

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

export type Ids = SelectQueryBuilder<DB, 'reviews', { id: string }>;

/** A limit that is a parameter would be planned for as a tenth of the table. */
export function paged(ids: Ids, criteria: Criteria): Ids {
  const limited = ids.limit(sql.lit(criteria.page_size));
  return criteria.page === 1 ? limited : limited.offset(offsetOf(criteria));
}

/** How many published reviews meet the criteria; for searches there is `countMatches`. */
export function countReviews(db: Db, criteria: Criteria): Promise<number> {
  const { employer_id, position_title, city, ...kinds } = criteria;
  if (position_title || city) return countRows(db, criteria);
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
  const { count } = await meetFilters(db.selectFrom('reviews'), criteria)
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
