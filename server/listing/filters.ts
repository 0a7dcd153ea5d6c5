import { type RawBuilder, type SqlBool, sql } from 'kysely';

export type Condition = RawBuilder<SqlBool>;

/** A filter that a request may set. */
export interface OptionalFilter {
  /** Null if the request does not set it. */
  readonly value: unknown;
  /** The SQL type of `value`. */
  readonly type: string;
  readonly holds: Condition;
  /** A term of the search index for the filter, if there is one. It may match more rows. */
  readonly term?: OptionalFilter;
}

/** An empty text sets no filter. */
export function filter<T>(
  type: string,
  value: T | undefined,
  holds: (value: T | null) => Condition,
  term?: (value: T | null) => Condition,
): OptionalFilter {
  const given = value === undefined || value === '' ? null : value;
  return {
    value: given,
    type,
    holds: holds(given),
    ...(term && { term: { value: given, type, holds: term(given) } }),
  };
}

export const equals = (
  column: string,
  type: string,
  value: unknown,
  term?: (value: unknown) => Condition,
): OptionalFilter => filter(type, value, (given) => sql`${sql.ref(column)} = ${given}`, term);

/** At most one filter is set: the list has an SQL text of its own. */
const isPlain = (filters: readonly OptionalFilter[]): boolean => filters.filter(isSet).length <= 1;

/** Whether a named statement may have these filters: PostgreSQL does not know its values. */
export const isNameable = (filters: readonly OptionalFilter[]): boolean =>
  isPlain(filters) && !filters.some(({ value }) => Array.isArray(value));

/**
 * The conditions of a list. A single filter has an SQL text of its own. More of them share one text
 * with all filters, so n filters make n + 2 texts and not 2^n. That text must be unnamed: PostgreSQL
 * then knows the values when it plans, and drops the filters that are not set.
 */
export const conditionsOf = (filters: readonly OptionalFilter[]): Condition[] =>
  isPlain(filters) ? filters.filter(isSet).map(({ holds }) => holds) : allConditions(filters);

/** The one text with all filters, for a statement that is always unnamed. */
export const allConditions = (filters: readonly OptionalFilter[]): Condition[] =>
  filters.map(({ value, type, holds }) => sql`(${value}::${sql.raw(type)} is null or ${holds})`);

/** Wraps a condition so that the planner uses no index for it. */
export const checked = <F extends OptionalFilter>(one: F): F => ({
  ...one,
  holds: isTrue(one.holds),
});
const isTrue = (condition: Condition): Condition => sql`(${condition}) is true`;

const isSet = ({ value }: OptionalFilter) => value !== null;
