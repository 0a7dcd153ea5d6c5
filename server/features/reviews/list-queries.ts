import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewFilterOptions } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import { overallSpread } from '#server/features/employers/service.ts';
import { offsetOf } from '#server/paging.ts';
import { type Criteria, hasOneFilter, isCommon, meetFilters, ORDERS } from './filter.ts';
import { REVIEW_COLUMNS } from './review-row.ts';
import { type Spread, type Stretch, totalOf } from './stretches.ts';

/**
 * One page of the published reviews, from the stretches that it lies in. Each is found in an index
 * that has its order (reviews_newest, reviews_by_rating, …); of the rows, only the page's are read.
 */
export function selectPage(db: Db, criteria: Criteria, stretches: readonly Stretch[]) {
  const [first, ...others] = stretches.map((stretch) => idsOf(db, criteria, stretch));
  if (!first) return Promise.resolve([]);
  const isNamed = isCommon(criteria) && others.length === 0;
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('id', 'in', others.length === 0 ? first : unionOf(db, [first, ...others]))
    .orderBy(orderOf(criteria))
    .limit(isNamed ? sql.lit(criteria.page_size) : criteria.page_size)
    .$if(!isNamed, (page) => page.modifyEnd(UNNAMED))
    .execute();
}

const orderOf = ({ ordering }: Criteria) => ORDERS[ordering ?? '-created_at'];

function idsOf(db: Db, criteria: Criteria, { rating, offset }: Stretch): Ids {
  const isOfOne = rating !== undefined;
  const isByRating = criteria.ordering?.endsWith('overall_rating');
  return limited(
    meetFilters(db.selectFrom('reviews'), isOfOne ? { ...criteria, rating } : criteria)
      .select('id')
      .orderBy(isOfOne && isByRating ? ORDERS['-created_at'] : orderOf(criteria)),
    criteria,
    offset,
  );
}

/** Each in parentheses of its own, for its order and limit. */
function unionOf(db: Db, [first, ...others]: [Ids, ...Ids[]]): Ids {
  const whole = (ids: Ids) => db.selectFrom(ids.as('ids')).select('id');
  return others.reduce((union, ids) => union.unionAll(whole(ids)), whole(first)) as unknown as Ids;
}

export type Ids = SelectQueryBuilder<DB, 'reviews', { id: string }>;

export const paged = (ids: Ids, criteria: Criteria): Ids =>
  limited(ids, criteria, offsetOf(criteria));

/**
 * In a named statement, a limit that is a parameter would be planned for as a tenth of the table.
 * Where the limit varies, the statement has no name, and PostgreSQL knows it as it plans.
 */
function limited(ids: Ids, criteria: Criteria, offset: number): Ids {
  const { page_size } = criteria;
  return isCommon(criteria) && offset === 0
    ? ids.limit(sql.lit(page_size))
    : ids.limit(page_size).offset(offset);
}

/**
 * How many published reviews of each rating meet everything but `min_rating`; for searches there
 * is `countMatches`.
 */
export async function selectSpread(db: Db, criteria: Criteria): Promise<Spread> {
  const { employer_id, city, ...others } = criteria;
  if (city) return spreadOf(countRows(db, criteria));
  if (employer_id === undefined) return spreadOf(sumCounts(db, others));
  const isWhole = FILTERS.every((name) => others[name] === undefined);
  return isWhole ? overallSpread(db, employer_id) : spreadOf(countRows(db, criteria));
}

const FILTERS = ['position_title', 'state', 'would_recommend', 'is_current_employee'] as const;

/** A query for `overall_rating` and `count`, as an array. */
async function spreadOf(query: {
  execute(): Promise<{ overall_rating: number; count: number }[]>;
}): Promise<Spread> {
  const spread = Array.from({ length: RATING_MAX }, () => 0);
  for (const { overall_rating, count } of await query.execute()) {
    spread[overall_rating - RATING_MIN] = count;
  }
  return spread;
}

function countRows(db: Db, criteria: Criteria) {
  return meetFilters(db.selectFrom('reviews'), criteria)
    .select(['overall_rating', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('overall_rating')
    .$if(!hasOneFilter(criteria), (counts) => counts.modifyEnd(UNNAMED));
}

/** From the counts that a trigger keeps: a few rows, whatever the number of reviews. */
function sumCounts(db: Db, filter: Criteria) {
  const { position_title, state, would_recommend, is_current_employee } = filter;
  return db
    .selectFrom('review_counts')
    .select(['overall_rating', (eb) => eb.fn.sum<number>('total').as('count')])
    .where(
      'position_key',
      '=',
      sql<string>`coalesce(public.name_key(${position_title || null}), '*')`,
    )
    .where(sql<SqlBool>`state = coalesce(upper(${state || null}), state)`)
    .where(sql<SqlBool>`would_recommend = coalesce(${would_recommend ?? null}, would_recommend)`)
    .where(
      sql<SqlBool>`is_current_employee = coalesce(${is_current_employee ?? null}, is_current_employee)`,
    )
    .groupBy('overall_rating');
}

type Values = Pick<ReviewFilterOptions, 'position_titles' | 'states' | 'cities' | 'total_reviews'>;

/**
 * What the list's filters can be set to, from the reviews that are there. Each value is found by
 * a step down its index, past all reviews that share the one before; the newest spells it.
 */
export async function selectFilterValues(db: Db): Promise<Values> {
  const [position_titles, states, cities, spread] = await Promise.all([
    distinct(db, 'position_key', 'position_title'),
    distinct(db, 'employer_state', 'employer_state'),
    distinct(db, 'city_key', 'employer_city'),
    spreadOf(sumCounts(db, { page: 1, page_size: 1 })),
  ]);
  return { position_titles, states, cities, total_reviews: totalOf(spread) };
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
