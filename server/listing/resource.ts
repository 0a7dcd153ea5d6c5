import type { RawBuilder } from 'kysely';
import type { PublicCache } from '#server/cache/public-cache.ts';
import type { Db } from '#server/db/open.ts';
import type { Condition, OptionalFilter } from './filters.ts';

/** What a request asks for, except its search. */
export interface Criteria {
  readonly page: number;
  readonly page_size: number;
  readonly ordering?: string | undefined;
}

/** What rows must match, as a `tsquery`. */
export interface Match {
  readonly match: string;
  /** Rows that match in any case. */
  readonly also?: Condition;
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
  /** Matches that are ranked in any case. */
  leads?(search: S): RawBuilder<unknown>;
  /** The columns of `first`, besides the id. */
  readonly columns: RawBuilder<unknown>;
  readonly join?: RawBuilder<unknown>;
  score(search: S): RawBuilder<unknown>;
  /** If there are more than `most` matches: the rest comes after the ranked ones, or none is ranked. */
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

export interface ListDeps {
  readonly db: Db;
  readonly cache: PublicCache;
}

/** The parts of a resource that do not depend on how it is searched. */
export type List<C extends Criteria> = Pick<
  Resource<C, never>,
  'name' | 'isListed' | 'filters' | 'orders' | 'defaultOrder'
>;
