import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import type { ReviewQuery } from '#contract/reviews.ts';
import type { DB } from '#server/db/types.ts';

/** What the public list is narrowed to, as a request gives it. */
export type ReviewFilter = Pick<ReviewQuery, 'page' | 'page_size'> &
  Partial<ReviewQuery> & { employer_id?: number };

/** The same but for the search, which the database has to understand first. */
export type Criteria = Omit<ReviewFilter, 'search'> & { rating?: number };

type Reviews<O> = SelectQueryBuilder<DB, 'reviews', O>;

/** Published reviews that meet everything but the search. */
export function meetFilters<O>(reviews: Reviews<O>, filter: Criteria): Reviews<O> {
  const cities = citiesOf(filter);
  const [city] = cities;
  return reviews
    .where('removed_reason', 'is', null)
    .$if(filter.employer_id !== undefined, (q) =>
      q.where('employer_id', '=', filter.employer_id ?? 0),
    )
    .$if(!!filter.position_title, (q) => q.where(isOfPosition(filter, cities.length > 0)))
    .$if(!!filter.state, (q) => q.where(isInState(filter, cities.length > 0)))
    .$if(cities.length === 1, (q) => q.where('city_key', '=', sql<string>`public.fold(${city})`))
    .$if(cities.length > 1, (q) =>
      q.where(
        sql<SqlBool>`city_key = any(array(select public.fold(c) from unnest(${cities}::text[]) c))`,
      ),
    )
    .$if(filter.rating !== undefined, (q) => q.where('overall_rating', '=', filter.rating ?? 0))
    .$if(filter.min_rating !== undefined && filter.rating === undefined, (q) =>
      q.where('overall_rating', '>=', filter.min_rating ?? 0),
    )
    .$if(!!filter.would_recommend, (q) =>
      q.where('would_recommend', '=', filter.would_recommend === 'true'),
    )
    .$if(!!filter.is_current_employee, (q) =>
      q.where('is_current_employee', '=', filter.is_current_employee === 'true'),
    );
}

/**
 * Reviews of a city are few, and all in one index (reviews_by_city): "is true" keeps the planner
 * from reading down another one in hope of them, as it takes places and positions for independent.
 */
const isOfPosition = ({ position_title }: Criteria, isInCity: boolean) =>
  isInCity
    ? sql<SqlBool>`(position_key = (select public.name_key(${position_title}))) is true`
    : sql<SqlBool>`position_key = public.name_key(${position_title})`;

const isInState = (filter: Criteria, isInCity: boolean) =>
  isInCity
    ? sql<SqlBool>`(employer_state = ${stateOf(filter)}) is true`
    : sql<SqlBool>`employer_state = ${stateOf(filter)}`;

export const stateOf = ({ state }: Criteria) => (state ?? '').toUpperCase();

export function citiesOf({ city }: Criteria): string[] {
  return (city ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}

/** Equal reviews follow each other newest first, then by id: pages never overlap. */
export const ORDERS: Record<ReviewOrdering, RawBuilder<unknown>> = {
  '-created_at': sql`created_at desc, id`,
  created_at: sql`created_at, id desc`,
  '-overall_rating': sql`overall_rating desc, created_at desc, id`,
  overall_rating: sql`overall_rating, created_at desc, id`,
  '-helpful': sql`helpful_score desc, created_at desc, id`,
};
