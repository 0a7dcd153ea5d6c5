import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { PUBLIC_REPLY } from '#server/features/reviews/rows/reply-queries.ts';
import { REVIEW_COLUMNS } from '#server/features/reviews/rows/review-row.ts';
import { conditionsOf, isNameable } from '#server/listing/filters.ts';
import { filterKey, kept } from '#server/listing/listing.ts';
import type {
  Counted,
  ListDeps,
  Order,
  ReadAll,
  Resource,
  Search,
} from '#server/listing/resource.ts';
import {
  filtersOf,
  IS_LISTED,
  RATINGS,
  type ReviewCriteria,
  type ReviewFilters,
  ratingsOf,
} from './list-filters.ts';
import { countSearch, depthOf, estimateMatches, SAMPLE, understandSearch } from './search.ts';

type Sql = RawBuilder<unknown>;

const NEWEST_FIRST = sql`created_at desc, id`;

/** The number of the month in which the first or last of all reviews was written. */
const monthOf = (end: 'min' | 'max') => sql`(
  select public.month_number(${sql.raw(end)}(created_at)) from reviews where ${IS_LISTED}
)`;
const LAST_MONTH = sql`public.month_number(last.created_at)`;

/** The terms of one kind, from one number to another. */
const terms = (kind: '=t' | '=r' | '=h', from: Sql, to: Sql): RawBuilder<string> => sql<string>`(
  select string_agg(quote_literal(${sql.lit(kind)} || n), ' | ') from generate_series(${from}, ${to}) n
)`;

/** With more months, PostgreSQL takes longer to combine their terms than to read the reviews. */
const MONTHS_MAX = 8;

/** Null if there are too many months. */
const months = (from: Sql, to: Sql) =>
  sql<string>`case when ${to} - ${from} < ${sql.lit(MONTHS_MAX)} then ${terms('=t', from, to)} end`;
const NEWER = months(LAST_MONTH, monthOf('max'));

/** The terms of a group's newer reviews. */
const newerOf = (group: RawBuilder<string>) =>
  sql<string>`'(' || ${group} || ') & (' || ${NEWER} || ')'`;

const STARS = sql`last.overall_rating::integer`;
const SAME_STARS = terms('=r', STARS, STARS);

const byRating = (by: Sql, values: readonly number[], better: RawBuilder<string>): Order => ({
  by: sql`${by}, ${NEWEST_FIRST}`,
  groups: { column: 'overall_rating', values, by: NEWEST_FIRST },
  upTo: sql`concat_ws(' | ', ${better}, coalesce(${newerOf(SAME_STARS)}, ${SAME_STARS}))`,
});

const TENTH = sql`public.helpful_tenth(last.helpful_score)`;

/** Ties are ordered newest first, then by id, so that pages never overlap. */
const ORDERS: Record<ReviewOrdering, Order> = {
  '-created_at': { by: NEWEST_FIRST, upTo: NEWER },
  created_at: {
    by: sql`created_at, id desc`,
    upTo: months(monthOf('min'), LAST_MONTH),
  },
  '-overall_rating': byRating(
    sql`overall_rating desc`,
    RATINGS.toReversed(),
    terms('=r', sql`${STARS} + 1`, sql.lit(RATING_MAX)),
  ),
  overall_rating: byRating(
    sql`overall_rating`,
    RATINGS,
    terms('=r', sql.lit(RATING_MIN), sql`${STARS} - 1`),
  ),
  '-helpful': {
    by: sql`helpful_score desc, ${NEWEST_FIRST}`,
    // Reviews without a helpful vote are ordered by date alone.
    upTo: sql`case ${TENTH} when 0
      then ${terms('=h', sql`1`, sql`10`)} || ' | ' || ${newerOf(sql`'''=h0'''`)}
      else ${terms('=h', TENTH, sql`10`)} end`,
  },
};

/** The number of published reviews by rating that meet all criteria except a range of ratings. */
async function selectHistogram(
  db: Db,
  criteria: ReviewFilters,
): Promise<[rating: number, count: number][]> {
  const isCounted = criteria.employer_id === undefined && !criteria.city;
  const rows = await (isCounted ? sumCounts(db, criteria) : countByRating(db, criteria)).execute();
  return rows.map(({ overall_rating, count }) => [overall_rating, count]);
}

function countByRating(db: Db, criteria: ReviewFilters) {
  const filters = filtersOf(criteria);
  return [IS_LISTED, ...conditionsOf(filters)]
    .reduce((reviews, condition) => reviews.where(condition), db.selectFrom('reviews'))
    .select(['overall_rating', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('overall_rating')
    .$if(!isNameable(filters), (counts) => counts.modifyEnd(UNNAMED));
}

/**
 * Adds up the counts that a trigger maintains: a few rows for any number of reviews. The plan must
 * know the values, to find one state's rows with the primary key.
 */
function sumCounts(db: Db, criteria: ReviewFilters) {
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

/** Of a million reviews, if looking up a row costs about as much as reading ten in order. */
const READ_IN_ORDER = 100_000;

/** With fewer rows, there is little to gain. */
const SAMPLED_AT_LEAST = 500;

export const REVIEWS: Resource<ReviewCriteria, Search> = {
  name: 'reviews',
  from: sql`reviews`,
  columns: [...REVIEW_COLUMNS.map((column) => sql.ref(column)), sql`${PUBLIC_REPLY} as reply`],
  isListed: IS_LISTED,
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
    found ** 2 <= wanted * READ_IN_ORDER,
  // A look-up costs about as much as checking a review in order, and an order also has reviews that
  // the filters leave out. An employer has few reviews, and a term in the search index.
  isNarrow: ({ found, listed = 0, criteria }, wanted) =>
    criteria.employer_id !== undefined || found ** 2 <= wanted * listed,
  sample: SAMPLE,
  // Reads the matches in the sample, the page and those before it, more of the last month, and a part
  // of the search index that grows with all matches: about as much as a third of them in order.
  isSampled: ({ found, listed = 0 }, wanted) =>
    found / 3 + wanted + SAMPLED_AT_LEAST < Math.min(found, (wanted * listed) / found),
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

async function countReviews(
  deps: ListDeps,
  criteria: ReviewCriteria,
  search?: Search,
  readAll?: ReadAll<ReviewCriteria>,
): Promise<Counted<ReviewCriteria>> {
  const { min_rating: _min, max_rating: _max, ...others } = criteria;
  const all = await keptHistogram(deps, others);
  const ratings = ratingsOf(criteria);
  const histogram = new Map(all.filter(([rating]) => ratings.includes(rating)));
  const [only, ...more] = histogram.keys();
  const isOne = only !== undefined && more.length === 0;
  const narrowed = isOne ? { ...others, rating: only } : criteria;
  const total = totalOf(histogram);
  if (!search) return { count: total, found: total, criteria: narrowed, histogram };
  const indexed = indexedFilters(criteria);
  const isAll = filterKey(indexed) === filterKey(others);
  const listed = totalOf(isAll ? all : await keptHistogram(deps, indexed));
  const key = `count/${depthOf(criteria)}/${search.match}/${filterKey(criteria)}`;
  const counting = () =>
    countSearch(deps.db, REVIEWS, criteria, search, {
      readAll: (found) => (isOrdered(found, criteria) ? readAll?.(narrowed) : undefined),
    });
  const counted = await kept(deps, REVIEWS, key, counting);
  return { ...counted, listed, criteria: narrowed, histogram };
}

/** Whether the order does not depend on the number of matches, so that all may be read at once. */
const isOrdered = (found: number, { ordering }: ReviewCriteria) =>
  ordering !== undefined || found > 1.5 * REVIEWS.ranking.most;

/** The filter whose reviews an index has in the order of the list. */
function indexedFilters({ ordering, state, position_title }: ReviewCriteria): ReviewFilters {
  if (ordering && !['-created_at', 'created_at'].includes(ordering)) return {};
  // reviews_by_state, reviews_by_position
  return state ? { state } : { position_title };
}

const totalOf = (histogram: Iterable<[rating: number, count: number]>) =>
  [...histogram].reduce((sum, [, count]) => sum + count, 0);

const keptHistogram = (deps: ListDeps, criteria: ReviewFilters) =>
  kept(deps, REVIEWS, `histogram/${filterKey(criteria)}`, () => selectHistogram(deps.db, criteria));
