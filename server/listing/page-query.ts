import { type RawBuilder, sql } from 'kysely';
import { EMPLOYER_REVIEWS_PAGE_SIZE, PAGE_SIZE } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { all, lookUp } from './conditions.ts';
import { type Condition, conditionsOf, isNameable, type OptionalFilter } from './filters.ts';
import { offsetOf } from './page.ts';
import type { Counted, Criteria, List, Match, Order, Resource, Search } from './resource.ts';

/** A query for the ids of a page, in their order. */
export type Ids = RawBuilder<{ id: unknown }>;
/** What is known before a page is read. */
export type Known<C extends Criteria> = Pick<Counted<C>, 'criteria'> &
  Partial<Pick<Counted<C>, 'histogram' | 'found'>>;

/** The ids of a page, and whether its statement is named. */
interface PageIds {
  readonly ids: Ids;
  readonly isNamed: boolean;
  /** Whether to select `total` too. */
  readonly isCounted?: boolean;
}

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

/** Reads only the rows of the page: their ids are found first. */
export async function selectRows<Row, C extends Criteria, S extends Search>(
  db: Db,
  { from, name, columns }: Resource<C, S>,
  { ids, isNamed, isCounted = false }: PageIds,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${sql.join(columns)} ${isCounted ? sql`, total` : sql``}
    from ${from} join (
      select id as page_id, row_number() over () as place ${isCounted ? sql`, total` : sql``}
      from (${ids}) as ids
    ) as page
      on page_id = ${sql.ref(name)}.id
    order by place ${isNamed ? sql`` : UNNAMED}`.execute(db);
  return rows;
}

export const wantedOf = (criteria: Criteria) => offsetOf(criteria) + criteria.page_size;

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

export const orderOf = <C extends Criteria>(
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
export const idsInOrder = <C extends Criteria>(
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
export function groupedIds<C extends Criteria>(
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

/**
 * Finds all rows in the search index, counts them, and sorts them. Materialized, so that the planner
 * does not read them in order instead. Only the columns that the order needs are read.
 */
export function lookedUpIds<C extends Criteria, S extends Search>(
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
    select id, (select count(*) from matches) as total from matches ${join} order by ${by}
    limit ${criteria.page_size} offset ${offsetOf(criteria)}`;
}

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
