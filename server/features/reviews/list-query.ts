import { type SqlBool, sql } from 'kysely';
import type { Concern } from '#contract/concerns.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import type { ReviewQuery } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import {
  type Condition,
  checked,
  conditionsOf,
  equals,
  filter,
  isNameable,
  type OptionalFilter,
} from '#server/listing/filters.ts';
import {
  type Counted,
  filterKey,
  kept,
  type ListDeps,
  type Order,
  type Resource,
  type Search,
} from '#server/listing/listing.ts';
import { REVIEW_COLUMNS } from './review-row.ts';
import { countSearch, depthOf, estimateMatches, understandSearch } from './search.ts';

/** Filters, order, and page of the list of published reviews. */
export type ReviewCriteria = Pick<ReviewQuery, 'page' | 'page_size'> &
  Partial<Omit<ReviewQuery, 'search'>> & {
    employer_id?: number;
    concern?: Concern | undefined;
    rating?: number;
  };

const NEWEST_FIRST = sql`created_at desc, id`;
const RATINGS = Array.from({ length: RATING_MAX }, (_, at) => at + RATING_MIN);

const byRating = (by: Order['by'], values: readonly number[]): Order => ({
  by,
  groups: { column: 'overall_rating', values, by: NEWEST_FIRST },
});

/** Looking up a row costs about as much as reading this many reviews in order, of a million. */
const READ_PER_LOOKUP = 10;
const MANY_REVIEWS = 1_000_000;

/** Ties are ordered newest first, then by id, so that pages never overlap. */
const ORDERS: Record<ReviewOrdering, Order> = {
  '-created_at': { by: NEWEST_FIRST },
  created_at: { by: sql`created_at, id desc` },
  '-overall_rating': byRating(sql`overall_rating desc, ${NEWEST_FIRST}`, RATINGS.toReversed()),
  overall_rating: byRating(sql`overall_rating, ${NEWEST_FIRST}`, RATINGS),
  '-helpful': { by: sql`helpful_score desc, ${NEWEST_FIRST}` },
};

export const REVIEWS: Resource<ReviewCriteria, Search> = {
  name: 'reviews',
  from: sql`reviews`,
  columns: REVIEW_COLUMNS,
  isListed: sql`removed_reason is null`,
  filters: filtersOf,
  orders: ORDERS,
  defaultOrder: '-created_at',
  sortColumns: sql`id, created_at, overall_rating, helpful_score`,
  ranking: {
    most: 2000,
    first: NEWEST_FIRST,
    columns: sql`created_at`,
    score: ({ match }) => sql`ts_rank(search, ${match}::tsquery)`,
    beyond: 'unranked',
  },
  understand: understandSearch,
  count: countReviews,
  countsFirst: true,
  // A specialty has no index of its own. Few reviews of it are looked up by its term in the search
  // index; many are soon found in an order.
  isRare: ({ criteria, found }, wanted) =>
    criteria.specialty !== undefined &&
    criteria.employer_id === undefined &&
    !criteria.city &&
    READ_PER_LOOKUP * found ** 2 <= wanted * MANY_REVIEWS,
  // Looking up a match costs about 1.4 times as much as reading a review in order.
  // An employer has a term in the search index, and few reviews.
  isNarrow: ({ found, histogram, criteria }, wanted) =>
    criteria.employer_id !== undefined || 1.4 * found ** 2 <= wanted * totalOf(histogram),
};

/** With as many matches in the sample, the first ones are soon found in an order. */
const ENOUGH_IN_SAMPLE = 128;

/** The newest matches of a search, without their number: an estimate decides how to find them. */
export const NEWEST_MATCHES: Resource<ReviewCriteria, Search> = {
  ...REVIEWS,
  async count({ db }, criteria, search) {
    const found = search
      ? await estimateMatches(db, REVIEWS, criteria, search, ENOUGH_IN_SAMPLE)
      : Number.POSITIVE_INFINITY;
    return { criteria, found, count: Number.POSITIVE_INFINITY };
  },
  isNarrow: ({ found }) => Number.isFinite(found),
};

function filtersOf(criteria: ReviewCriteria): OptionalFilter[] {
  const { min_rating, rating } = criteria;
  const cities = citiesOf(criteria);
  const ratingTerms = RATINGS.slice((min_rating ?? 1) - 1).map((stars) => `'=r${stars}'`);
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
        min_rating === RATING_MIN || !min_rating ? undefined : ratingTerms.join(' | '),
        (terms) => sql`search @@ ${terms}::tsquery`,
      ),
    },
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

const citiesOf = ({ city }: ReviewCriteria): string[] =>
  (city ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

async function countReviews(
  deps: ListDeps,
  criteria: ReviewCriteria,
  search?: Search,
): Promise<Counted<ReviewCriteria>> {
  const { min_rating = RATING_MIN, ...others } = criteria;
  const all = await kept(deps, REVIEWS, `histogram/${filterKey(others)}`, () =>
    selectHistogram(deps.db, others),
  );
  const histogram = new Map(all.filter(([rating]) => rating >= min_rating));
  const [only, ...more] = histogram.keys();
  const isOne = only !== undefined && more.length === 0;
  const narrowed = isOne ? { ...others, rating: only } : criteria;
  const total = totalOf(histogram);
  const counted = search
    ? await kept(
        deps,
        REVIEWS,
        `count/${depthOf(criteria)}/${search.match}/${filterKey(criteria)}`,
        () => countSearch(deps.db, REVIEWS, criteria, search),
      )
    : { count: total, found: total };
  return { ...counted, criteria: narrowed, histogram };
}

const totalOf = (histogram: Counted<never>['histogram']) =>
  [...(histogram?.values() ?? [])].reduce((sum, count) => sum + count, 0);

/** The number of published reviews by rating that meet all criteria except `min_rating`. */
export async function selectHistogram(
  db: Db,
  criteria: ReviewCriteria,
): Promise<[rating: number, count: number][]> {
  const isCounted = criteria.employer_id === undefined && !criteria.city;
  const rows = await (isCounted ? sumCounts(db, criteria) : countByRating(db, criteria)).execute();
  return rows.map(({ overall_rating, count }) => [overall_rating, count]);
}

function countByRating(db: Db, criteria: ReviewCriteria) {
  const filters = filtersOf(criteria);
  return [REVIEWS.isListed, ...conditionsOf(filters)]
    .reduce((reviews, condition) => reviews.where(condition), db.selectFrom('reviews'))
    .select(['overall_rating', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('overall_rating')
    .$if(!isNameable(filters), (counts) => counts.modifyEnd(UNNAMED));
}

/**
 * Adds up the counts that a trigger maintains: a few rows for any number of reviews. The plan must
 * know the values, to find the rows of one state with the primary key.
 */
function sumCounts(db: Db, criteria: ReviewCriteria) {
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
