import { sql } from 'kysely';
import { EMPLOYER_REVIEWS_PAGE_SIZE, PAGE_SIZE } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { all, type List, lookUp } from './conditions.ts';
import { type Condition, conditionsOf, isNameable, type OptionalFilter } from './filters.ts';
import type { Counted, Criteria, Match, Resource, Search } from './listing.ts';
import {
  groupedIds,
  type Ids,
  idsInOrder,
  type Known,
  lookedUpIds,
  orderOf,
  searchIds,
  wantedOf,
} from './page-ids.ts';

/** The ids of a page, and whether its statement is named. */
interface PageIds {
  readonly ids: Ids;
  readonly isNamed: boolean;
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
