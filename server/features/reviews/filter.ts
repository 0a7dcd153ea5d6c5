import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
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
  const [city, ...others] = cities;
  if (city === undefined) return meetAll(reviews, conditionsOf(filter));
  // All of a city's are in one index (reviews_by_city), and few.
  const isThere =
    others.length === 0 ? sql<SqlBool>`city_key = public.fold(${city})` : isInOneOf(cities);
  return meetAll(reviews, [isThere, ...checksOf(filter)]);
}

/** Published reviews that meet a search and everything else, all found in reviews_search. */
export function meetSearch<O>(reviews: Reviews<O>, filter: Criteria, tsquery: string): Reviews<O> {
  const words = [sql`${tsquery}::tsquery`, ...wordsOf(filter)];
  const matches = sql<SqlBool>`search @@ (${sql.join(words, sql` && `)})`;
  const cities = citiesOf(filter);
  const isThere = cities.length > 0 ? [isTrue(isInOneOf(cities))] : [];
  return meetAll(reviews, [matches, ...isThere, ...checksOf(filter)]);
}

type Condition = RawBuilder<SqlBool>;

const meetAll = <O>(reviews: Reviews<O>, conditions: Condition[]): Reviews<O> =>
  conditions.reduce(
    (met, condition) => met.where(condition),
    reviews.where('removed_reason', 'is', null),
  );

/**
 * The conditions as checks that no index serves: the planner takes filters for independent, and
 * would read down one index in hope of those that are in another.
 */
const checksOf = (filter: Criteria): Condition[] =>
  // The key in a query of its own: else it would be made anew for each row.
  conditionsOf(filter, (title) => sql`(select ${keyOf(title)})`).map(isTrue);

const isTrue = (condition: Condition): Condition => sql`(${condition}) is true`;

function conditionsOf(filter: Criteria, key = keyOf): Condition[] {
  const { employer_id, position_title, state, rating, min_rating } = filter;
  const { would_recommend, is_current_employee } = filter;
  return [
    employer_id !== undefined && sql<SqlBool>`employer_id = ${employer_id}`,
    position_title && sql<SqlBool>`position_key = ${key(position_title)}`,
    state && sql<SqlBool>`employer_state = ${stateOf(filter)}`,
    rating !== undefined && sql<SqlBool>`overall_rating = ${rating}`,
    min_rating !== undefined &&
      rating === undefined &&
      sql<SqlBool>`overall_rating >= ${min_rating}`,
    would_recommend && sql<SqlBool>`would_recommend = ${would_recommend}`,
    is_current_employee && sql<SqlBool>`is_current_employee = ${is_current_employee}`,
  ].filter((condition) => typeof condition === 'object');
}

/** The same as words of `search`, which leave out nothing that the conditions let pass. */
function wordsOf(filter: Criteria): RawBuilder<unknown>[] {
  const { position_title, state, min_rating, would_recommend, is_current_employee } = filter;
  const word = (kind: string, value: RawBuilder<unknown>) =>
    sql`quote_literal(${kind}::text || ${value})::tsquery`;
  const cities = citiesOf(filter);
  const ratings = Array.from({ length: RATING_MAX }, (_, at) => at + RATING_MIN);
  const asked = ratings.filter((rating) => rating >= (min_rating ?? RATING_MIN));
  return [
    position_title && word('=p', keyOf(position_title)),
    state && word('=s', keyOf(state)),
    cities.length > 0 &&
      sql`(select string_agg(quote_literal('=c' || public.name_key(c)), ' | ')::tsquery
        from unnest(${cities}::text[]) c)`,
    asked.length < ratings.length &&
      sql`${asked.map((rating) => `'=r${rating}'`).join(' | ')}::tsquery`,
    would_recommend && sql`${`'=w${would_recommend}'`}::tsquery`,
    is_current_employee && sql`${`'=e${is_current_employee}'`}::tsquery`,
  ].filter((words) => typeof words === 'object');
}

const isInOneOf = (cities: string[]): Condition =>
  sql`city_key = any(array(select public.fold(c) from unnest(${cities}::text[]) c))`;

const keyOf = (title: string) => sql<string>`public.name_key(${title})`;

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
