import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { PAGE_SIZE, RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import type { ReviewQuery } from '#contract/reviews.ts';
import {
  allConditions,
  conditionsOf,
  isPlain,
  type OptionalFilter,
} from '#server/db/optional-filters.ts';
import type { DB } from '#server/db/types.ts';

/** What the public list is narrowed to, as a request gives it. */
export type ReviewFilter = Pick<ReviewQuery, 'page' | 'page_size'> &
  Partial<ReviewQuery> & { employer_id?: number };

/** The same but for the search, which the database has to understand first. */
export type Criteria = Omit<ReviewFilter, 'search'> & { rating?: number };

type Reviews<O> = SelectQueryBuilder<DB, 'reviews', O>;
type Condition = RawBuilder<SqlBool>;

/** At most one filter: what depends on neither page nor order then has a named statement. */
export const hasOneFilter = (filter: Criteria): boolean => isPlain(filtersOf(filter));

/** The same, and the first page, newest first: a page that has a named statement. */
export const isCommon = (filter: Criteria): boolean =>
  hasOneFilter(filter) &&
  filter.page === 1 &&
  filter.page_size === PAGE_SIZE &&
  (filter.ordering ?? '-created_at') === '-created_at';

/** Published reviews that meet everything but the search. */
export function meetFilters<O>(reviews: Reviews<O>, filter: Criteria): Reviews<O> {
  const { rating } = filter;
  const conditions = conditionsOf(filtersOf(filter));
  if (rating === undefined) return meetAll(reviews, conditions);
  const isRated = sql<SqlBool>`overall_rating = ${rating}`;
  return meetAll(reviews, [...conditions, isInCity(filter) ? isTrue(isRated) : isRated]);
}

/** Published reviews that meet a search and everything else, all found in reviews_search. */
export const meetSearch = <O>(reviews: Reviews<O>, filter: Criteria, tsquery: string): Reviews<O> =>
  meetAll(reviews, [
    sql`search @@ ${tsquery}::tsquery`,
    ...allConditions([...wordsOf(filter), ...filtersOf(filter).map(checked)]),
  ]);

const meetAll = <O>(reviews: Reviews<O>, conditions: Condition[]): Reviews<O> =>
  conditions.reduce(
    (met, condition) => met.where(condition),
    reviews.where('removed_reason', 'is', null),
  );

const isInCity = (filter: Criteria) => citiesOf(filter).length > 0;

function filtersOf(filter: Criteria): OptionalFilter[] {
  const city = cityOf(filter);
  const others = othersOf(filter);
  // All of a city's are in one index (reviews_by_city), and few.
  return [city, ...(isInCity(filter) ? others.map(checked) : others)];
}

/**
 * A condition as a check that no index serves: the planner takes filters for independent, and
 * would read down one index in hope of those that are in another.
 */
const isTrue = (condition: Condition): Condition => sql`(${condition}) is true`;
const checked = (filter: OptionalFilter) => ({ ...filter, holds: isTrue(filter.holds) });

function cityOf(filter: Criteria): OptionalFilter {
  const cities = citiesOf(filter);
  if (cities.length > 1) {
    const holds = sql<SqlBool>`city_key = any(public.fold_all(${cities}::text[]))`;
    return { value: cities, type: 'text[]', holds };
  }
  const [city = null] = cities;
  return { value: city, type: 'text', holds: sql`city_key = public.fold(${city})` };
}

function othersOf(filter: Criteria): OptionalFilter[] {
  const { employer_id = null, would_recommend = null, is_current_employee = null } = filter;
  const position = filter.position_title || null;
  const state = stateOf(filter) || null;
  const min = filter.rating === undefined ? (filter.min_rating ?? null) : null;
  return [
    { value: employer_id, type: 'integer', holds: sql`employer_id = ${employer_id}` },
    { value: position, type: 'text', holds: sql`position_key = ${keyOf(position)}` },
    { value: state, type: 'text', holds: sql`employer_state = ${state}` },
    { value: min, type: 'integer', holds: sql`overall_rating >= ${min}` },
    {
      value: would_recommend,
      type: 'boolean',
      holds: sql`would_recommend = ${would_recommend}`,
    },
    {
      value: is_current_employee,
      type: 'boolean',
      holds: sql`is_current_employee = ${is_current_employee}`,
    },
  ];
}

/** The same as words of `search`, which leave out nothing that the filters let pass. */
function wordsOf(filter: Criteria): OptionalFilter[] {
  const { min_rating, would_recommend, is_current_employee } = filter;
  const position = filter.position_title || null;
  const state = stateOf(filter) || null;
  const cities = isInCity(filter) ? citiesOf(filter) : null;
  const keyed = (kind: string, value: string | null): OptionalFilter => ({
    value,
    type: 'text',
    holds: sql`search @@ quote_literal(${sql.lit(kind)} || ${keyOf(value)})::tsquery`,
  });
  const word = (value: string | null): OptionalFilter => ({
    value,
    type: 'text',
    holds: sql`search @@ ${value}::tsquery`,
  });
  return [
    keyed('=p', position),
    keyed('=s', state),
    {
      value: cities,
      type: 'text[]',
      holds: sql`search @@ (
        select string_agg(quote_literal('=c' || public.name_key(c)), ' | ')::tsquery
        from unnest(${cities}::text[]) c
      )`,
    },
    word(min_rating === undefined || min_rating === RATING_MIN ? null : ratingWords(min_rating)),
    word(would_recommend ? `'=w${would_recommend}'` : null),
    word(is_current_employee ? `'=e${is_current_employee}'` : null),
  ];
}

const ratingWords = (min: number) =>
  Array.from({ length: RATING_MAX - min + 1 }, (_, at) => `'=r${min + at}'`).join(' | ');

const keyOf = (title: string | null) => sql<string>`public.name_key(${title})`;

const stateOf = ({ state }: Criteria) => (state ?? '').toUpperCase();

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
