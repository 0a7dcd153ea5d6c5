import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { EMPLOYER_REVIEWS_PAGE_SIZE, PAGE_SIZE } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import {
  allConditions,
  type Condition,
  checked,
  conditionsOf,
  isNameable,
  isTrue,
  type OptionalFilter,
} from './filters.ts';
import type { Counted, Criteria, Match, Order, Resource, Search } from './listing.ts';
import { offsetOf } from './page.ts';

type Ids = RawBuilder<{ id: unknown }>;
/** The ids of a page, and whether its statement is named. */
interface PageIds {
  readonly ids: Ids;
  readonly isNamed: boolean;
}
/** What is known before a page is read. */
type Known<C extends Criteria> = Pick<Counted<C>, 'criteria'> &
  Partial<Pick<Counted<C>, 'histogram' | 'found'>>;
/** The parts of a resource that do not depend on how it is searched. */
type List<C extends Criteria> = Pick<
  Resource<C, never>,
  'name' | 'isListed' | 'filters' | 'orders' | 'defaultOrder'
>;

/** One page of a list without a search. */
export const browsePage = <Row, C extends Criteria, S extends Search>(
  db: Db,
  resource: Resource<C, S>,
  known: Known<C>,
): Promise<Row[]> =>
  selectRows(
    db,
    resource,
    isRare(resource, known)
      ? { ids: lookedUpIds(resource, known.criteria), isNamed: false }
      : browse(resource, known),
  );

/** One page of the matches of a search. */
export const searchPage = <Row, C extends Criteria, S extends Search>(
  db: Db,
  resource: Resource<C, S>,
  counted: Counted<C>,
  search: S,
): Promise<Row[]> =>
  selectRows(db, resource, { ids: searchIds(resource, counted, search), isNamed: false });

/** The first rows of an order, some of which may match a search. */
const LOOKED_THROUGH = 300;

/** The first matches of a search, if they are among the first rows of the order. */
export const lookThrough = <Row, C extends Criteria, S extends Search>(
  db: Db,
  resource: Resource<C, S>,
  criteria: C,
  { match }: S,
): Promise<Row[]> => {
  const { by, join = sql`` } = orderOf(resource, criteria);
  const ids: Ids = sql`
    select id from (
      select id, search, row_number() over (order by ${by}) as nth
      from ${sql.ref(resource.name)} ${join} where ${resource.isListed}
      order by ${by} limit ${sql.lit(LOOKED_THROUGH)}
    ) as first_rows
    where search @@ ${match}::tsquery order by nth limit ${sql.lit(criteria.page_size)}`;
  return selectRows(db, resource, { ids, isNamed: true });
};

/** Reads only the rows of the page: their ids are found first. */
async function selectRows<Row, C extends Criteria, S extends Search>(
  db: Db,
  { from, name, columns }: Resource<C, S>,
  { ids, isNamed }: PageIds,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${from}
    join (select id as page_id, row_number() over () as place from (${ids}) as ids) as page
      on page_id = ${sql.ref(name)}.id
    order by place ${isNamed ? sql`` : UNNAMED}`.execute(db);
  return rows;
}

const wantedOf = (criteria: Criteria) => offsetOf(criteria) + criteria.page_size;

const isRare = <C extends Criteria, S extends Search>(
  resource: Resource<C, S>,
  { criteria, found }: Known<C>,
): boolean =>
  found !== undefined && resource.isRare?.({ criteria, found }, wantedOf(criteria)) === true;

/** The sizes of the first pages that people open. */
const COMMON_SIZES: readonly number[] = [PAGE_SIZE, EMPLOYER_REVIEWS_PAGE_SIZE];

/** A first page in the default order with at most one filter: it has a named statement. */
const isCommon = <C extends Criteria>(
  { defaultOrder }: List<C>,
  criteria: C,
  filters: readonly OptionalFilter[],
): boolean =>
  isNameable(filters) &&
  criteria.page === 1 &&
  COMMON_SIZES.includes(criteria.page_size) &&
  (criteria.ordering ?? defaultOrder) === defaultOrder;

function browse<C extends Criteria>(resource: List<C>, known: Known<C>): PageIds {
  const { criteria } = known;
  const filters = resource.filters(criteria);
  const isNamed = isCommon(resource, criteria, filters);
  const conditions = [resource.isListed, ...conditionsOf(filters)];
  const order = orderOf(resource, criteria);
  const ids =
    order.groups && known.histogram
      ? groupedIds(resource, known, order, conditions)
      : idsInOrder(resource, conditions, order, criteria, isNamed);
  return { ids, isNamed };
}

const orderOf = <C extends Criteria>(
  { orders, defaultOrder }: List<C>,
  { ordering = defaultOrder }: C,
): Order => {
  const order = orders[ordering];
  if (!order) throw new Error(`unknown order ${ordering}`);
  return order;
};

/**
 * A named statement is of a first page and has a constant limit: PostgreSQL plans a limit that is a
 * parameter as a tenth of the table.
 */
const idsInOrder = <C extends Criteria>(
  { name }: List<C>,
  conditions: readonly Condition[],
  { by, join = sql`` }: Order,
  page: Criteria,
  isNamed = false,
): Ids => sql`
  select id from ${sql.ref(name)} ${join} where ${all(conditions)} order by ${by}
  limit ${isNamed ? sql.lit(page.page_size) : page.page_size}
  ${isNamed ? sql`` : sql`offset ${offsetOf(page)}`}`;

/**
 * Reads one value of the group column after the other, until the page is full. Without a search, it
 * skips the values before the page by their counts.
 */
function groupedIds<C extends Criteria>(
  { name }: List<C>,
  { criteria, histogram }: Known<C>,
  { groups }: Order,
  conditions: readonly Condition[],
  isSearch = false,
): Ids {
  if (!groups) throw new Error('the order has no groups');
  let offset = offsetOf(criteria);
  const values = groups.values.filter((value) => histogram?.get(value));
  while (!isSearch && values[0] !== undefined) {
    const count = histogram?.get(values[0]) ?? 0;
    if (count > offset) break;
    offset -= count;
    values.shift();
  }
  const { page_size } = criteria;
  return sql`
    select id from unnest(${values}::smallint[]) as value, lateral (
      select id from ${sql.ref(name)}
      where ${all([...conditions, sql`${sql.ref(groups.column)} = value`])}
      order by ${groups.by} limit ${offset + page_size}
    ) as one_group
    limit ${page_size} offset ${offset}`;
}

function searchIds<C extends Criteria, S extends Search>(
  resource: Resource<C, S>,
  counted: Counted<C>,
  search: S,
): Ids {
  const { criteria, found } = counted;
  const { ranking } = resource;
  const isNarrow = resource.isNarrow(counted, wantedOf(criteria));
  const conditions = isNarrow
    ? lookUp(resource, criteria, search)
    : walk(resource, criteria, search);
  if (!criteria.ordering && (ranking.beyond === 'follow' || found <= ranking.most)) {
    return rankedIds(resource, counted, search, conditions);
  }
  if (isNarrow) return lookedUpIds(resource, criteria, search);
  const order = orderOf(resource, criteria);
  return order.groups && counted.histogram
    ? groupedIds(resource, counted, order, conditions, true)
    : idsInOrder(resource, conditions, order, criteria);
}

/** Finds all rows in the search index, and sorts them. */
function lookedUpIds<C extends Criteria, S extends Search>(
  resource: Resource<C, S>,
  criteria: C,
  search?: S,
): Ids {
  const { by, join = sql`` } = orderOf(resource, criteria);
  return sql`
    with matches as materialized (
      select ${resource.sortColumns} from ${sql.ref(resource.name)}
      where ${all(lookUp(resource, criteria, search))}
    )
    select id from matches ${join} order by ${by}
    limit ${criteria.page_size} offset ${offsetOf(criteria)}`;
}

function rankedIds<C extends Criteria, S extends Search>(
  { ranking, name, sortColumns }: Resource<C, S>,
  { criteria, found }: Counted<C>,
  search: S,
  conditions: readonly Condition[],
): Ids {
  const { most, first, columns, join = sql`` } = ranking;
  const { page_size } = criteria;
  const offset = offsetOf(criteria);
  const others = sql`
    union all (
      select id, null, ${columns} from ${sql.ref(name)}
      where ${all(conditions)} and id not in (select id from candidates)
      order by ${first} limit ${page_size} offset ${Math.max(0, offset - most)}
    )`;
  return sql`
    with candidates as materialized (
      select search, ${sortColumns} from ${sql.ref(name)} where ${all(conditions)}
      ${found > most ? sql`order by ${first} limit ${sql.lit(most)}` : sql``}
    ),
    scored as (
      select id, ${ranking.score(search)} as score, ${columns} from candidates ${join}
      ${offset + page_size > most ? others : sql``}
    )
    select id from scored order by score desc nulls last, ${first}
    limit ${page_size} offset ${Math.min(offset, most)}`;
}

/** Finds all matches with the search index, which has terms for most filters. */
function lookUp<C extends Criteria>(
  { isListed, filters }: List<C>,
  criteria: C,
  search?: Match,
): Condition[] {
  const set = filters(criteria);
  const terms = set.flatMap(({ term }) => term ?? []);
  const found = allConditions([...terms, ...set.map(checked)]);
  return [
    isListed,
    ...(search ? [sql<SqlBool>`search @@ ${search.match}::tsquery`] : []),
    ...found,
  ];
}

/** Checks each row that is read in order, or that another condition finds. */
export const walk = <C extends Criteria>(
  { isListed, filters }: Pick<List<C>, 'isListed' | 'filters'>,
  criteria: C,
  search?: Search,
): Condition[] => [
  isListed,
  ...allConditions(filters(criteria)),
  ...(search ? [isTrue(sql`search @@ ${search.match}::tsquery`)] : []),
];

/** The number of rows that meet the filters and the search, counted up to `most`. */
export async function countRows<C extends Criteria>(
  db: Db,
  resource: List<C>,
  criteria: C,
  search?: Match,
  { most, where }: { most?: number; where?: Condition } = {},
): Promise<number> {
  const filters = resource.filters(criteria);
  const conditions = search
    ? lookUp(resource, criteria, search)
    : [resource.isListed, ...conditionsOf(filters)];
  if (where) conditions.push(where);
  const isNamed = !search && isNameable(filters);
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from ${sql.ref(resource.name)} where ${all(conditions)}
      ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`}
    ) as found ${isNamed ? sql`` : UNNAMED}`.execute(db);
  return rows[0]?.count ?? 0;
}

const all = (conditions: readonly Condition[]): Condition =>
  sql`${sql.join([...conditions], sql` and `)}`;
