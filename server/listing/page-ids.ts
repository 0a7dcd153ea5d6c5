import { type RawBuilder, sql } from 'kysely';
import { all, type List, lookUp, walk } from './conditions.ts';
import type { Condition } from './filters.ts';
import type { Counted, Criteria, Order, Resource, Search } from './listing.ts';
import { offsetOf } from './page.ts';

/** A query for the ids of a page, in their order. */
export type Ids = RawBuilder<{ id: unknown }>;
/** What is known before a page is read. */
export type Known<C extends Criteria> = Pick<Counted<C>, 'criteria'> &
  Partial<Pick<Counted<C>, 'histogram' | 'found'>>;

export const wantedOf = (criteria: Criteria) => offsetOf(criteria) + criteria.page_size;

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

export function searchIds<C extends Criteria, S extends Search>(
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
