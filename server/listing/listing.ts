import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { Condition, OptionalFilter } from './filters.ts';
import { offsetOf } from './page.ts';
import { browsePage } from './page-query.ts';
import { readAllMatches, searchPage } from './search-query.ts';

/** What a request asks for, except its search. */
export interface Criteria {
  readonly page: number;
  readonly page_size: number;
  readonly ordering?: string | undefined;
}

/** What rows must match, as a `tsquery`. */
export interface Match {
  readonly match: string;
}

/** How a search text was understood. */
export interface Search extends Match {
  /** Nothing matches the words as typed, so this matches similar ones. */
  readonly isClosest: boolean;
}

export interface Order {
  readonly by: RawBuilder<unknown>;
  /** A table that the order needs. */
  readonly join?: RawBuilder<unknown>;
  /** Reads the values of a column one after the other, each in an order that an index has. */
  readonly groups?: {
    readonly column: string;
    readonly values: readonly number[];
    readonly by: RawBuilder<unknown>;
  };
  /** A `tsquery`, as text, that finds all rows up to the row `last`, and few others. */
  readonly upTo?: RawBuilder<string>;
}

/** Random rows, with a search index of their own. */
export interface Sample {
  /** One row in so many. */
  readonly share: number;
  readonly has: Condition;
}

/** How a search is ordered if the request does not say. */
export interface Ranking<S extends Search> {
  /** The maximum number of matches that are ranked: the first ones in the order `first`. */
  readonly most: number;
  readonly first: RawBuilder<unknown>;
  /** The columns of `first`, besides the id. */
  readonly columns: RawBuilder<unknown>;
  readonly join?: RawBuilder<unknown>;
  score(search: S): RawBuilder<unknown>;
  /** With more matches, the others follow the ranked ones, or none are ranked. */
  readonly beyond: 'follow' | 'unranked';
}

/** How many rows a request finds. */
export interface Counted<C extends Criteria> {
  /** For the response. */
  readonly count: number;
  /** An estimate of all matches of the search. */
  readonly found: number;
  /** The number of rows in the order, with those that filters and search leave out. */
  readonly listed?: number;
  /** The number of rows that meet the filters, by the value of the column of `Order.groups`. */
  readonly histogram?: ReadonlyMap<number, number>;
  /** The criteria, possibly narrowed because of the counts. */
  readonly criteria: C;
}

/** Reads the page in the order of the request. Returns the number of matches. */
export type ReadAll<C extends Criteria> = (criteria: C) => Promise<number>;

/** A list: a resource declares its columns, filters, orders, and search. */
export interface Resource<C extends Criteria, S extends Search> {
  /** Its table, and the cache topic of the table. */
  readonly name: 'reviews' | 'employers';
  readonly from: RawBuilder<unknown>;
  readonly columns: readonly RawBuilder<unknown>[];
  readonly isListed: Condition;
  filters(criteria: C): OptionalFilter[];
  readonly orders: Readonly<Record<string, Order>>;
  readonly defaultOrder: string;
  /** The columns that orders and ranking read. */
  readonly sortColumns: RawBuilder<unknown>;
  readonly ranking: Ranking<S>;
  /** Null if the text has no words. */
  understand(db: Db, text: string): Promise<S | null>;
  /** `readAll` counts the matches of a search by reading all, and so reads the page as well. */
  count(deps: ListDeps, criteria: C, search?: S, readAll?: ReadAll<C>): Promise<Counted<C>>;
  /** Whether the counts help to read a page without a search. If not, both run at once. */
  readonly countsFirst: boolean;
  /** Whether to find the rows of a list without a search in the search index too. */
  isRare?(counted: Pick<Counted<C>, 'criteria' | 'found'>, wanted: number): boolean;
  /** Whether to find all matches in the search index, instead of reading down an order. */
  isNarrow(counted: Pick<Counted<C>, 'criteria' | 'found' | 'listed'>, wanted: number): boolean;
  /** Whether to find only the first matches of an order, up to a row of the sample. */
  isSampled?(counted: Pick<Counted<C>, 'found' | 'listed'>, wanted: number): boolean;
  readonly sample?: Sample;
}

export type ListDeps = Pick<Deps, 'db' | 'cache'>;

/** One page of a list, the number of rows on all pages, and whether they are only the closest. */
export async function list<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
  text?: string,
): Promise<{ rows: Row[]; count: number; isClosest: boolean }> {
  const search = text ? await understood(deps, resource, text) : undefined;
  if (search === null) return { rows: [], count: 0, isClosest: false };
  const { rows, count } = await (search
    ? searchList<Row, C, S>(deps, resource, criteria, search)
    : browseList<Row, C, S>(deps, resource, criteria));
  return { rows, count, isClosest: count > 0 && search?.isClosest === true };
}

interface Found<Row> {
  rows: Row[];
  count: number;
}

async function browseList<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
): Promise<Found<Row>> {
  const counting = resource.count(deps, criteria);
  const reading = resource.countsFirst
    ? counting.then((counted) =>
        isBeyond(counted) ? [] : browsePage<Row, C, S>(deps.db, resource, counted),
      )
    : browsePage<Row, C, S>(deps.db, resource, { criteria });
  const [{ count }, rows] = await Promise.all([counting, reading]);
  return { rows, count };
}

async function searchList<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
  search: S,
): Promise<Found<Row>> {
  let page: Row[] | undefined;
  const counted = await resource.count(deps, criteria, search, async (narrowed) => {
    const { rows, count } = await readAllMatches<Row, C, S>(deps.db, resource, narrowed, search);
    page = rows;
    return count;
  });
  if (isBeyond(counted)) return { rows: [], count: counted.count };
  page ??= await searchPage<Row, C, S>(deps.db, resource, counted, search);
  return { rows: page, count: counted.count };
}

const isBeyond = <C extends Criteria>({ criteria, count }: Counted<C>) =>
  offsetOf(criteria) >= count;

/** How the resource understands a search text. Null if the text has no words. */
export const understood = <C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  text: string,
): Promise<S | null> =>
  kept(deps, resource, `search/${text}`, () => resource.understand(deps.db, text));

/** Caches a value until a row of the resource changes. */
export const kept = <T>(
  { cache }: Pick<Deps, 'cache'>,
  { name }: Pick<Resource<never, never>, 'name'>,
  key: string,
  compute: () => Promise<T>,
): Promise<T> => cache.remember([name], `${name}/${key}`, compute);

/** A cache key of the criteria that a count depends on. */
export function filterKey({
  page: _,
  page_size: __,
  ordering: ___,
  ...filters
}: Partial<Criteria>): string {
  return JSON.stringify(filters);
}
