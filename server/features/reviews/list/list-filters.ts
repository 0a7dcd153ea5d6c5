import { sql } from 'kysely';
import type { ConcernFilter } from '#contract/concerns.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewQuery } from '#contract/review-queries.ts';
import { type Condition, equals, type Filter, filter } from '#server/listing/filters.ts';

/** Filters, order, and page of the list of published reviews. */
export type ReviewCriteria = Pick<ReviewQuery, 'page' | 'page_size'> &
  Partial<Omit<ReviewQuery, 'search'>> & {
    employer_id?: number;
    concern?: ConcernFilter | undefined;
  };

export type ReviewFilters = Omit<ReviewCriteria, 'page' | 'page_size'>;

/** A review that is public. */
export const IS_LISTED: Condition = sql`removed_reason is null`;
export const RATINGS = Array.from({ length: RATING_MAX }, (_, at) => at + RATING_MIN);

/**
 * The filters of a request, and their terms in the search index. Cities have only a term: no order and
 * no count needs an index of them. Employers and concerns have none: an employer has few reviews.
 */
export function filtersOf(criteria: ReviewFilters): Filter[] {
  const { min_rating, max_rating } = criteria;
  return [
    equals('employer_id', 'integer', criteria.employer_id),
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
    filter(
      'text[]',
      citiesOf(criteria),
      (any) => sql`search @@ (
        select string_agg(quote_literal('=c' || public.name_key(city)), ' | ')::tsquery
        from unnest(${any}::text[]) city
      )`,
    ),
    filter(
      'integer',
      min_rating,
      (stars) => sql`overall_rating >= ${stars}`,
      () => ratingTerms((stars) => stars >= (min_rating ?? RATING_MIN)),
    ),
    filter(
      'integer',
      max_rating,
      (stars) => sql`overall_rating <= ${stars}`,
      () => ratingTerms((stars) => stars <= (max_rating ?? RATING_MAX)),
    ),
    equals('would_recommend', 'boolean', criteria.would_recommend, (is) => flagTerm('=w', is)),
    equals('is_current_employee', 'boolean', criteria.is_current_employee, (is) =>
      flagTerm('=e', is),
    ),
  ];
}

const keyTerm = (kind: string, value: unknown): Condition =>
  sql`search @@ quote_literal(${sql.lit(kind)} || public.name_key(${value}))::tsquery`;
const flagTerm = (kind: string, value: unknown): Condition =>
  sql`search @@ quote_literal(${sql.lit(kind)} || ${value}::boolean)::tsquery`;
const ratingTerms = (isIn: (stars: number) => boolean): Condition =>
  sql`search @@ ${RATINGS.filter(isIn)
    .map((stars) => `'=r${stars}'`)
    .join(' | ')}::tsquery`;

/** Undefined without a city. */
function citiesOf({ city }: ReviewFilters): string[] | undefined {
  const cities = (city ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return cities.length > 0 ? cities : undefined;
}
