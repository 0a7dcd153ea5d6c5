import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PublicCache } from '#server/cache/public-cache.ts';
import type { Db } from '#server/db/open.ts';

export type Condition = RawBuilder<SqlBool>;

/**
 * A filter that a request may set. Its conditions hold if it is not set: so all requests share one SQL
 * text, and PostgreSQL, which knows the values when it plans, drops them.
 */
export interface Filter {
  readonly isSet: boolean;
  readonly holds: Condition;
  /** The same as a term of the search index, if there is one. */
  readonly found: Condition;
}

/** An empty text sets no filter. */
export function filter<T>(
  type: string,
  value: T | undefined,
  holds: (value: T | null) => Condition,
  found = holds,
): Filter {
  const given = value === undefined || value === '' ? null : value;
  const ifSet = (condition: Condition): Condition =>
    sql`(${given}::${sql.raw(type)} is null or ${condition})`;
  return { isSet: given !== null, holds: ifSet(holds(given)), found: ifSet(found(given)) };
}

export const equals = (
  column: string,
  type: string,
  value: unknown,
  found?: (value: unknown) => Condition,
): Filter => filter(type, value, (given) => sql`${sql.ref(column)} = ${given}`, found);

export const all = (conditions: readonly Condition[]): Condition =>
  sql`${sql.join([...conditions], sql` and `)}`;

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
interface Ranking<S extends Search> {
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

/**
 * The values of an indexed column, in alphabetical order: the choices of a filter. `next` selects the
 * `key` and `value` of the first row after a key. Reads one index entry per value (a skip scan).
 */
export async function distinctValues(
  db: Db,
  next: (after: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    with recursive found as (
      (${next(sql`''`)})
      union all
      select next.key, next.value from found, lateral (${next(sql`found.key`)}) as next
    )
    select value from found order by public.fold(value), value`.execute(db);
  return rows.map(({ value }) => value);
}
