import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { type Criteria, meetFilters, meetSearch, ORDERS } from './filter.ts';
import { type Ids, paged } from './list-queries.ts';
import { REVIEW_COLUMNS } from './review-row.ts';
import { type Place, type Step, stepsFrom } from './steps.ts';

/** Above so many matches a search is answered newest first: ranking would read all of them. */
const MOST_RANKED = 2000;

export interface Search extends Criteria {
  tsquery: string;
  /** How many reviews match, about. */
  found: number;
  /** How many meet the filters. */
  total: number;
}

/** The order that a search is answered in; undefined for the best match first. */
export const orderingOf = ({ ordering, found }: Search): ReviewOrdering | undefined =>
  ordering ?? (found > MOST_RANKED ? '-created_at' : undefined);

/**
 * Whether to look all matches up (reviews_search) and put them in order: that reads fewer rows
 * than to read down an order until it has had `wanted` matches.
 */
export const isNarrow = ({ found, total }: Search, wanted: number) => found ** 2 <= wanted * total;

const matching = ({ tsquery }: Search) => sql`${tsquery}::tsquery`;

/** One page of a narrow search. */
export function selectLookedUp(db: Db, search: Search) {
  const ordering = orderingOf(search);
  const order = ordering
    ? ORDERS[ordering]
    : sql`ts_rank(search, ${matching(search)}) desc, created_at desc, id`;
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('id', 'in', paged(lookedUp(db, search).orderBy(order), search))
    .orderBy(order)
    .modifyEnd(UNNAMED)
    .execute();
}

const PLACE = ['overall_rating', 'helpful_score', 'created_at', 'id'] as const;

/** One page of a broad search, and its last place if it is full: the beginning, or what follows. */
export async function selectReadDown(db: Db, search: Search, after?: Place) {
  const ordering = orderingOf(search) ?? '-created_at';
  const found = [];
  for (const step of stepsFrom(ordering, search.min_rating, after)) {
    const ids = readDown(db, search, step).select('id').limit(search.page_size);
    const next = await db
      .selectFrom('reviews')
      .select(REVIEW_COLUMNS)
      .select('helpful_score')
      .where('id', 'in', ids)
      .orderBy(ORDERS[ordering])
      .modifyEnd(UNNAMED)
      .execute();
    found.push(...next);
    if (found.length >= search.page_size) break;
  }
  const page = found.slice(0, search.page_size);
  const last = page[search.page_size - 1];
  return {
    rows: page.map(({ helpful_score: _, ...row }) => row),
    last: last && placeOf(last),
  };
}

const placeOf = ({ overall_rating, helpful_score, created_at, id }: Place): Place => ({
  overall_rating,
  helpful_score,
  created_at,
  id,
});

/** The match at this number in the search's order, from 1. */
export async function selectPlace(
  db: Db,
  search: Search,
  number: number,
): Promise<Place | undefined> {
  const ordering = orderingOf(search) ?? '-created_at';
  if (isNarrow(search, number)) {
    const ids = lookedUp(db, search)
      .orderBy(ORDERS[ordering])
      .limit(1)
      .offset(number - 1);
    return db
      .selectFrom('reviews')
      .select(PLACE)
      .where('id', 'in', ids)
      .modifyEnd(UNNAMED)
      .executeTakeFirst();
  }
  let left = number;
  for (const step of stepsFrom(ordering, search.min_rating)) {
    const matches = readDown(db, search, step)
      .select([...PLACE, sql<number>`row_number() over (order by ${step.order})`.as('number')])
      .limit(sql.lit(SEARCH_COUNT_MAX));
    // Numbered, so that of a step that ends before, it is known how many it had.
    const last = await db
      .selectFrom(matches.as('matches'))
      .selectAll()
      .where('number', '<=', left)
      .orderBy('number', 'desc')
      .limit(1)
      .modifyEnd(UNNAMED)
      .executeTakeFirst();
    left -= last?.number ?? 0;
    if (left === 0) return last;
  }
  return undefined;
}

function lookedUp(db: Db, search: Search): Ids {
  const columns = ['id', 'search', 'created_at', 'overall_rating', 'helpful_score'] as const;
  const matches = meetSearch(db.selectFrom('reviews'), search, search.tsquery).select(columns);
  return db
    .with(
      (cte) => cte('matches').materialized(),
      () => matches,
    )
    .selectFrom('matches')
    .select('id') as unknown as Ids;
}

function readDown(db: Db, search: Search, { rating, order, where }: Step) {
  return (
    meetFilters(db.selectFrom('reviews'), rating === undefined ? search : { ...search, rating })
      // "is true" keeps the planner from looking all of them up.
      .where(sql<SqlBool>`(search @@ ${matching(search)}) is true`)
      .$if(where !== undefined, (q) => q.where(where as RawBuilder<SqlBool>))
      .orderBy(order)
  );
}
