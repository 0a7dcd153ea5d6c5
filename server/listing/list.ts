import type { RawBuilder } from 'kysely';
import type { PublicCache } from '#server/cache/public-cache.ts';
import type { Db } from '#server/db/open.ts';
import type { Condition, Filter } from './filters.ts';

/** What a request asks for, except its search. */
export interface Criteria {
  readonly page: number;
  readonly page_size: number;
  readonly ordering?: string | undefined;
}

/** How a search text was understood. */
export interface Search {
  /** What rows must match, as a `tsquery`. */
  readonly match: string;
  /** Rows that match in any case. */
  readonly also?: Condition;
  /** Nothing matches the words as typed, so this matches similar ones. */
  readonly isClosest: boolean;
}

/** An order. Ties are ordered by id, so that pages never overlap. */
export interface Order<C = unknown> {
  readonly by: RawBuilder<unknown>;
  /** A table that the order needs. */
  readonly join?: RawBuilder<unknown>;
  /** Its rows in groups, one after the other, each in an order that an index has. */
  groups?(criteria: C): readonly OrderGroup[];
}

export interface OrderGroup {
  readonly by: RawBuilder<unknown>;
  readonly holds: Condition;
  /** The same as a term of the search index. */
  readonly found: Condition;
}

/** How a search is ordered if the request does not say. */
export interface Ranking<S extends Search> {
  score(search: S): RawBuilder<unknown>;
  /** The order of equal scores. */
  readonly ties: Order;
  /** The order of matches that are too many to be ranked. */
  readonly tooMany: string;
}

/** A list: its columns, filters, orders, and search. */
export interface List<C extends Criteria, S extends Search> {
  /** Its table, and the cache topic of the table. */
  readonly name: 'reviews' | 'employers';
  readonly idType: 'uuid' | 'integer';
  readonly from: RawBuilder<unknown>;
  readonly columns: readonly RawBuilder<unknown>[];
  readonly isListed: Condition;
  filters(criteria: C): Filter[];
  /** The cache topics of what its filters and searches read. */
  readonly filteredBy: readonly ('reviews' | 'employers')[];
  readonly orders: Readonly<Record<string, Order<C>>>;
  readonly defaultOrder: string;
  /** The columns that the orders read. */
  readonly sortColumns: RawBuilder<unknown>;
  readonly ranking: Ranking<S>;
  /** Null if the text has no words. */
  understand(db: Db, text: string): Promise<S | null>;
}

export interface ListDeps {
  readonly db: Db;
  readonly cache: PublicCache;
}
