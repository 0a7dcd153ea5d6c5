import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import {
  all,
  type Condition,
  type Criteria,
  type List,
  type ListDeps,
  type Order,
  type OrderGroup,
  type Search,
} from './list.ts';
import { offsetOf } from './page.ts';

/** The ids of the rows of a page, in their order. */
type Ids = readonly (string | number)[];

interface Found<Row> {
  readonly rows: Row[];
  /** The number of rows on all pages. A search is counted up to SEARCH_COUNT_MAX. */
  readonly count: number;
  /** Nothing matches the words as typed; these are similar. */
  readonly isClosest: boolean;
}

/**
 * One page of a list. There are two ways to read it (docs/queries.md): up to SEARCH_COUNT_MAX rows are
 * looked up and sorted; of more, the order is read until the page is full.
 */
export async function listPage<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  list: List<C, S>,
  criteria: C,
  text?: string,
): Promise<Found<Row>> {
  if (text) {
    const search = await understood(deps, list, text);
    if (search) return searchPage(deps.db, list, criteria, search);
    return { rows: [], count: 0, isClosest: false };
  }
  const count = await keptCount(deps, list, criteria);
  if (offsetOf(criteria) >= count) return { rows: [], count, isClosest: false };
  const isFiltered = list.filters(criteria).some(({ isSet }) => isSet);
  const found =
    isFiltered && count <= SEARCH_COUNT_MAX ? await lookUp(deps.db, list, criteria) : null;
  const ids =
    found && found.count <= SEARCH_COUNT_MAX
      ? found.ids
      : await readInOrder(deps.db, list, criteria);
  return { rows: await readRows(deps.db, list, ids), count, isClosest: false };
}

/** One page of what a search finds. */
export async function searchPage<Row, C extends Criteria, S extends Search>(
  db: Db,
  list: List<C, S>,
  criteria: C,
  search: S,
): Promise<Found<Row>> {
  const found = await lookUp(db, list, criteria, search);
  const count = Math.min(found.count, SEARCH_COUNT_MAX);
  const isInOrder = count < found.count && offsetOf(criteria) < count;
  const ids = isInOrder
    ? await readInOrder(db, list, criteria, search, list.ranking.tooMany)
    : found.ids;
  const rows = await readRows<Row, C, S>(db, list, ids.slice(0, count - offsetOf(criteria)));
  return { rows, count, isClosest: count > 0 && search.isClosest };
}

/** How the list understands a search text. Null if the text has no words. */
export const understood = <C extends Criteria, S extends Search>(
  deps: ListDeps,
  list: List<C, S>,
  text: string,
): Promise<S | null> =>
  kept(deps, list, `search/${text}`, () => list.understand(deps.db, text), list.filteredBy);

/** Caches a value until a row of the list changes, or what `topics` say. */
export const kept = <T>(
  { cache }: Pick<ListDeps, 'cache'>,
  { name }: Pick<List<never, never>, 'name'>,
  key: string,
  compute: () => Promise<T>,
  topics: List<never, never>['filteredBy'] = [name],
): Promise<T> => cache.remember(topics, `${name}/${key}`, compute);

function keptCount<C extends Criteria, S extends Search>(
  deps: ListDeps,
  list: List<C, S>,
  criteria: C,
): Promise<number> {
  const { page: _, page_size: __, ordering: ___, ...filters } = criteria;
  const counting = () => countWhere(deps.db, list, conditionsOf(list, criteria));
  return kept(deps, list, `count/${JSON.stringify(filters)}`, counting, list.filteredBy);
}

async function countWhere<C extends Criteria, S extends Search>(
  db: Db,
  { name }: List<C, S>,
  conditions: Condition,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.ref(name)} where ${conditions} ${UNNAMED}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Rows of the list that meet the filters and the search. */
export const conditionsOf = <C extends Criteria, S extends Search>(
  { isListed, filters }: List<C, S>,
  criteria: C,
  search?: S,
): Condition =>
  all([
    isListed,
    ...filters(criteria).map(({ holds }) => holds),
    ...(search ? [isFound(search)] : []),
  ]);

/** What a search finds. */
const isFound = ({ match, also }: Search): Condition =>
  also ? sql`(search @@ ${match}::tsquery or ${also})` : sql`search @@ ${match}::tsquery`;

type Group = OrderGroup & Slice;

interface Slice {
  readonly limit: number;
  readonly offset: number;
}

const sliceOf = (criteria: Criteria): Slice => ({
  limit: criteria.page_size,
  offset: offsetOf(criteria),
});

/**
 * Finds the rows in the search index, counts them, and sorts them, unless they are more than
 * SEARCH_COUNT_MAX. Materialized, so that the planner does not read an order instead.
 */
async function lookUp<C extends Criteria, S extends Search>(
  db: Db,
  list: List<C, S>,
  criteria: C,
  search?: S,
  group?: Group,
): Promise<{ ids: Ids; count: number }> {
  const found = list.filters(criteria).map((filter) => filter.found);
  if (search) found.push(isFound(search));
  if (group) found.push(group.found);
  const isRanked = search !== undefined && !group && !criteria.ordering;
  const { by, join = sql`` }: Order<C> =
    group ?? (isRanked ? list.ranking.ties : orderOf(list, criteria.ordering));
  const { limit, offset } = group ?? sliceOf(criteria);
  const { rows } = await sql<{ ids: Ids; count: number }>`
    with matches as materialized (
      select ${list.sortColumns} ${isRanked ? sql`, ${list.ranking.score(search)} as score` : sql``}
      from ${sql.ref(list.name)} where ${all([list.isListed, ...found])}
      limit ${sql.lit(SEARCH_COUNT_MAX + 1)}
    ),
    counted as (select count(*) from matches)
    select count, array(
      select id from matches ${join} where count <= ${sql.lit(SEARCH_COUNT_MAX)}
      order by ${isRanked ? sql`score desc, ` : sql``} ${by} limit ${limit} offset ${offset}
    ) as ids
    from counted ${UNNAMED}`.execute(db);
  return rows[0] ?? { ids: [], count: 0 };
}

/** Reads an order until the page is full, and checks each row. */
function readInOrder<C extends Criteria, S extends Search>(
  db: Db,
  list: List<C, S>,
  criteria: C,
  search?: S,
  unordered = list.defaultOrder,
): Promise<Ids> {
  const order = orderOf(list, criteria.ordering ?? unordered);
  const isMatch = isMatchOf(list, criteria, search);
  return order.groups
    ? readGroups(db, list, criteria, order.groups(criteria), search)
    : readRowsInOrder(db, list, all([list.isListed, isMatch]), order, sliceOf(criteria));
}

/**
 * Whether a row in an order meets the filters and the search. The planner gets no estimate of the
 * matches of a search: it knows too little about several words, and would sort all rows instead.
 */
const isMatchOf = <C extends Criteria, S extends Search>(
  list: List<C, S>,
  criteria: C,
  search?: S,
): Condition =>
  all([
    ...list.filters(criteria).map(({ holds }) => holds),
    ...(search ? [sql<SqlBool>`coalesce(${isFound(search)}, false)`] : []),
  ]);

async function readRowsInOrder<C extends Criteria, S extends Search>(
  db: Db,
  { name }: List<C, S>,
  conditions: Condition,
  { by, join = sql`` }: Order,
  { limit, offset }: Slice,
): Promise<Ids> {
  const { rows } = await sql<{ id: string | number }>`
    select id from ${sql.ref(name)} ${join} where ${conditions} order by ${by}
    limit ${limit} offset ${offset} ${UNNAMED}`.execute(db);
  return rows.map(({ id }) => id);
}

/** One group after the other, until the page is full. */
async function readGroups<C extends Criteria, S extends Search>(
  db: Db,
  list: List<C, S>,
  criteria: C,
  groups: readonly OrderGroup[],
  search?: S,
): Promise<Ids> {
  const ids: (string | number)[] = [];
  let { limit, offset } = sliceOf(criteria);
  for (const group of groups) {
    const part = await readGroup(db, list, criteria, { ...group, limit, offset }, search);
    ids.push(...part.ids);
    limit -= part.ids.length;
    if (limit === 0) break;
    offset = Math.max(0, offset - part.count);
  }
  return ids;
}

/**
 * A part of a group, and the number of its rows, unless the part is full. Matches may be rare in this
 * group: if its first rows have too few, they are looked up, too.
 */
async function readGroup<C extends Criteria, S extends Search>(
  db: Db,
  list: List<C, S>,
  criteria: C,
  group: Group,
  search?: S,
): Promise<{ ids: Ids; count: number }> {
  const { limit, offset, by, holds } = group;
  const isMatch = isMatchOf(list, criteria, search);
  const { rows } = await sql<{ id: string | number }>`
    select id from (
      select id, ${isMatch} as is_match from ${sql.ref(list.name)}
      where ${list.isListed} and ${holds} order by ${by} limit ${sql.lit(SEARCH_COUNT_MAX)}
    ) as first where is_match limit ${limit} offset ${offset} ${UNNAMED}`.execute(db);
  if (rows.length === limit) return { ids: rows.map(({ id }) => id), count: limit };
  const found = await lookUp(db, list, criteria, search, group);
  if (found.count <= SEARCH_COUNT_MAX) return found;
  const conditions = all([list.isListed, holds, isMatch]);
  const ids = await readRowsInOrder(db, list, conditions, group, group);
  const isFull = ids.length === limit;
  return { ids, count: isFull ? limit : await countWhere(db, list, conditions) };
}

function orderOf<C extends Criteria, S extends Search>(
  { orders, defaultOrder }: List<C, S>,
  ordering = defaultOrder,
): Order<C> {
  const order = orders[ordering];
  if (!order) throw new Error(`unknown order ${ordering}`);
  return order;
}

async function readRows<Row, C extends Criteria, S extends Search>(
  db: Db,
  { from, name, idType, columns }: List<C, S>,
  ids: Ids,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select ${sql.join(columns)}
    from ${from} join unnest(${ids}::${sql.raw(idType)}[]) with ordinality as page (page_id, place)
      on page_id = ${sql.ref(name)}.id
    order by place`.execute(db);
  return rows;
}

/** Searches per statement. */
const AT_ONCE = 50;

/**
 * The rows that each search selects, of all of them together. `select` gets the place of a search
 * among all; searches without words select nothing.
 */
export async function selectBySearches<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  list: List<C, S>,
  searches: readonly { text?: string | undefined; criteria: C }[],
  select: (place: number, criteria: C, search?: S) => RawBuilder<unknown>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let first = 0; first < searches.length; first += AT_ONCE) {
    const selects = [];
    for (const [at, { text, criteria }] of searches.slice(first, first + AT_ONCE).entries()) {
      const search = text ? await understood(deps, list, text) : undefined;
      if (search !== null) selects.push(select(first + at, criteria, search));
    }
    if (selects.length === 0) continue;
    const { rows } = await sql<Row>`
      ${sql.join(selects, sql` union all `)} ${UNNAMED}`.execute(deps.db);
    found.push(...rows);
  }
  return found;
}
