import { sql } from 'kysely';
import type { ConcernFilter } from '#contract/concerns.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewQuery } from '#contract/review-queries.ts';
import {
  type Condition,
  checked,
  equals,
  filter,
  type OptionalFilter,
} from '#server/listing/filters.ts';

/** Filters, order, and page of the list of published reviews. */
export type ReviewCriteria = Pick<ReviewQuery, 'page' | 'page_size'> &
  Partial<Omit<ReviewQuery, 'search'>> & {
    employer_id?: number;
    concern?: ConcernFilter | undefined;
    rating?: number;
  };

export type ReviewFilters = Omit<ReviewCriteria, 'page' | 'page_size'>;

/** A review that is public. */
export const IS_LISTED: Condition = sql`removed_reason is null`;
export const RATINGS = Array.from({ length: RATING_MAX }, (_, at) => at + RATING_MIN);

/** The ratings from `min_rating` to `max_rating`. */
export const ratingsOf = ({ min_rating = RATING_MIN, max_rating = RATING_MAX }: ReviewFilters) =>
  RATINGS.filter((stars) => stars >= min_rating && stars <= max_rating);

/** The filters of a request, and their terms in the search index. */
export function filtersOf(criteria: ReviewFilters): OptionalFilter[] {
  const { min_rating, max_rating, rating } = criteria;
  const cities = citiesOf(criteria);
  const ratings = ratingsOf(criteria);
  const ratingTerms = ratings.map((stars) => `'=r${stars}'`).join(' | ');
  const others = [
    equals('employer_id', 'integer', criteria.employer_id, (id) => keyTerm('=m', id)),
    filter(
      'text',
      criteria.position_title,
      (title) => sql`position_key = public.name_key(${title})`,
      (title) => keyTerm('=p', title),
    ),
    equals('specialty', 'text', criteria.specialty, (name) => keyTerm('=x', name)),
    filter('text', criteria.concern, (concern) => sql`concerns @> array[${concern}::text]`),
    equals('employer_state', 'text', criteria.state?.toUpperCase(), (state) =>
      keyTerm('=s', state),
    ),
    {
      ...filter('integer', min_rating, (stars) => sql`overall_rating >= ${stars}`),
      term: filter(
        'text',
        ratings.length === RATINGS.length ? undefined : ratingTerms,
        (terms) => sql`search @@ ${terms}::tsquery`,
      ),
    },
    filter('integer', max_rating, (stars) => sql`overall_rating <= ${stars}`),
    equals('overall_rating', 'integer', rating),
    equals('would_recommend', 'boolean', criteria.would_recommend, (is) => flagTerm('=w', is)),
    equals('is_current_employee', 'boolean', criteria.is_current_employee, (is) =>
      flagTerm('=e', is),
    ),
  ];
  // A city has few reviews. Its index has the other columns (reviews_by_city).
  return [...cityFilters(cities), ...(cities.length > 0 ? others.map(checked) : others)];
}

/** One city has a filter of its own: its index then yields the order of the list. */
function cityFilters(cities: readonly string[]): OptionalFilter[] {
  const [only, ...more] = cities;
  return [
    filter(
      'text',
      more.length === 0 ? only : undefined,
      (city) => sql`city_key = public.fold(${city})`,
      (city) => keyTerm('=c', city),
    ),
    filter(
      'text[]',
      more.length > 0 ? cities : undefined,
      (any) => sql`city_key = any(public.fold_all(${any}::text[]))`,
      (any) => sql`search @@ (
        select string_agg(quote_literal('=c' || public.name_key(city)), ' | ')::tsquery
        from unnest(${any}::text[]) city
      )`,
    ),
  ];
}

const keyTerm = (kind: string, value: unknown): Condition =>
  sql`search @@ quote_literal(${sql.lit(kind)} || public.name_key(${value}))::tsquery`;
const flagTerm = (kind: string, value: unknown): Condition =>
  sql`search @@ quote_literal(${sql.lit(kind)} || ${value}::boolean)::tsquery`;

const citiesOf = ({ city }: ReviewFilters): string[] =>
  (city ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
