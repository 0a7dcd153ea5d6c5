import { sql } from 'kysely';
import { PUBLIC_REPLY } from '#server/features/reviews/rows/reply-queries.ts';
import { REVIEW_COLUMNS } from '#server/features/reviews/rows/review-row.ts';
import { filterKey, kept } from '#server/listing/listing.ts';
import type { Counted, ListDeps, ReadAll, Resource, Search } from '#server/listing/resource.ts';
import { selectHistogram } from './histogram.ts';
import {
  filtersOf,
  IS_LISTED,
  type ReviewCriteria,
  type ReviewFilters,
  ratingsOf,
} from './list-filters.ts';
import { NEWEST_FIRST, ORDERS } from './orders.ts';
import { countSearch, depthOf, estimateMatches, SAMPLE, understandSearch } from './search.ts';

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
