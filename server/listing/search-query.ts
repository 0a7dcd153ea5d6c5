import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { all, lookUp, walk } from './conditions.ts';
import type { Condition } from './filters.ts';
import { offsetOf } from './page.ts';
import {
  countRows,
  groupedIds,
  type Ids,
  idsInOrder,
  lookedUpIds,
  orderOf,
  selectRows,
  wantedOf,
} from './page-query.ts';
import type { Counted, Criteria, Resource, Search } from './resource.ts';

/** With three standard deviations, the sample has too many of the first matches in 1 page of 1,000. */
const DEVIATIONS = 3;

/**
 * The ids of a page, found among the first matches of the order alone. The sample says where these
 * end: at a row that most likely comes after the page. Finds too few rows if the sample misleads.
 */
function sampledIds<C extends Criteria, S extends Search>(
  resource: Resource<C, S>,
  criteria: C,
  search: S,
): Ids {
  const { by, upTo } = orderOf(resource, criteria);
  const { name, sample, sortColumns } = resource;
  if (!sample || !upTo) throw new Error(`no sample for the order ${criteria.ordering}`);
  const conditions = lookUp(resource, criteria, search);
  return sql`
    with in_sample as materialized (
      select ${sortColumns} from ${sql.ref(name)} where ${all([...conditions, sample.has])}
    ),
    last as (
      select * from in_sample
      order by ${by} limit 1 offset ${rowsBefore(wantedOf(criteria), sample.share)}
    ),
    matches as materialized (
      select ${sortColumns} from ${sql.ref(name)}
      where ${all(conditions)} and search @@ (select (${upTo})::tsquery from last)
    )
    select id from matches order by ${by} limit ${criteria.page_size} offset ${offsetOf(criteria)}`;
}

/** How many rows of the sample there are at most among the first `wanted` rows. */
function rowsBefore(wanted: number, share: number): number {
  const expected = wanted / share;
  return Math.ceil(expected + DEVIATIONS * (Math.sqrt(expected) + 1));
}

/** One page of the matches of a search. */
export async function searchPage<Row, C extends Criteria, S extends Search>(
  db: Db,
  resource: Resource<C, S>,
  counted: Counted<C>,
  search: S,
): Promise<Row[]> {
  const { criteria, count } = counted;
  if (!isRanked(resource, counted) && resource.isSampled?.(counted, wantedOf(criteria))) {
    const ids = sampledIds(resource, criteria, search);
    const rows = await selectRows<Row, C, S>(db, resource, { ids, isNamed: false });
    // Too few rows: the sample has more of these matches than expected.
    if (rows.length >= Math.min(criteria.page_size, count - offsetOf(criteria))) return rows;
  }
  return selectRows(db, resource, { ids: searchIds(resource, counted, search), isNamed: false });
}

/** One page of the matches of a search, which are all looked up, and their number. */
export async function readAllMatches<Row, C extends Criteria, S extends Search>(
  db: Db,
  resource: Resource<C, S>,
  criteria: C,
  search: S,
): Promise<{ rows: Row[]; count: number }> {
  const ids = lookedUpIds(resource, criteria, search);
  const page = { ids, isNamed: false, isCounted: true };
  const counted = await selectRows<Row & { total: number }, C, S>(db, resource, page);
  const count = counted[0]?.total ?? (await countRows(db, resource, criteria, search));
  const rows = counted.map(({ total: _, ...row }) => row as unknown as Row);
  return { rows, count };
}

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

/** Few matches are ranked, and many if the others follow. */
const isRanked = <C extends Criteria, S extends Search>(
  { ranking }: Resource<C, S>,
  { criteria, found }: Counted<C>,
): boolean => !criteria.ordering && (ranking.beyond === 'follow' || found <= ranking.most);

function searchIds<C extends Criteria, S extends Search>(
  resource: Resource<C, S>,
  counted: Counted<C>,
  search: S,
): Ids {
  const { criteria, found } = counted;
  const isNarrow = resource.isNarrow(counted, wantedOf(criteria));
  if (isRanked(resource, counted)) {
    // Few matches are all read, to be ranked.
    const find = found <= resource.ranking.most || isNarrow ? lookUp : walk;
    return rankedIds(resource, counted, search, find(resource, criteria, search));
  }
  if (isNarrow) return lookedUpIds(resource, criteria, search);
  const order = orderOf(resource, criteria);
  const hasGroups = order.groups !== undefined && counted.histogram !== undefined;
  const conditions = walk(resource, criteria, search, hasGroups);
  return hasGroups
    ? groupedIds(resource, counted, order, conditions, true)
    : idsInOrder(resource, conditions, order, criteria);
}

function rankedIds<C extends Criteria, S extends Search>(
  { ranking, name, sortColumns }: Resource<C, S>,
  { criteria, found }: Counted<C>,
  search: S,
  conditions: readonly Condition[],
): Ids {
  const { most, first, columns, join = sql`` } = ranking;
  const leads = ranking.leads ? sql`${ranking.leads(search)} desc, ` : sql``;
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
      ${found > most ? sql`order by ${leads}${first} limit ${sql.lit(most)}` : sql``}
    ),
    scored as (
      select id, ${ranking.score(search)} as score, ${columns} from candidates ${join}
      ${offset + page_size > most ? others : sql``}
    )
    select id from scored order by score desc nulls last, ${first}
    limit ${page_size} offset ${Math.min(offset, most)}`;
}
