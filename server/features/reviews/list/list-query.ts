import { type RawBuilder, sql } from 'kysely';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import { PUBLIC_REPLY } from '#server/features/reviews/rows/reply-queries.ts';
import { REVIEW_COLUMNS } from '#server/features/reviews/rows/review-row.ts';
import type { List, Order, Search } from '#server/listing/list.ts';
import { filtersOf, IS_LISTED, RATINGS, type ReviewCriteria } from './list-filters.ts';
import { understandSearch } from './search.ts';

// reviews_newest
const NEWEST_FIRST = sql`created_at desc, id`;

// reviews_by_rating has each rating's reviews, newest first.
const byRating = (by: RawBuilder<unknown>, values: readonly number[]): Order => ({
  by: sql`${by}, ${NEWEST_FIRST}`,
  groups: { column: 'overall_rating', values, by: NEWEST_FIRST },
});

/** Ties are ordered newest first, then by id. */
const ORDERS: Record<ReviewOrdering, Order> = {
  '-created_at': { by: NEWEST_FIRST },
  created_at: { by: sql`created_at, id desc` },
  '-overall_rating': byRating(sql`overall_rating desc`, RATINGS.toReversed()),
  overall_rating: byRating(sql`overall_rating`, RATINGS),
  // reviews_helpful
  '-helpful': { by: sql`helpful_score desc, ${NEWEST_FIRST}` },
};

export const REVIEWS: List<ReviewCriteria, Search> = {
  name: 'reviews',
  idType: 'uuid',
  from: sql`reviews`,
  columns: [...REVIEW_COLUMNS.map((column) => sql.ref(column)), sql`${PUBLIC_REPLY} as reply`],
  isListed: IS_LISTED,
  filters: filtersOf,
  filteredBy: ['reviews'],
  orders: ORDERS,
  defaultOrder: '-created_at',
  sortColumns: sql`id, created_at, overall_rating, helpful_score`,
  ranking: {
    score: ({ match }) => sql`ts_rank(search, ${match}::tsquery)`,
    ties: { by: NEWEST_FIRST },
    tooMany: '-created_at',
  },
  understand: understandSearch,
};
