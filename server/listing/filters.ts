import { type RawBuilder, type SqlBool, sql } from 'kysely';

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
