import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A filter that a list may be asked for. */
export interface OptionalFilter {
  /** Null where it is left out. */
  readonly value: unknown;
  /** The SQL type of `value`. */
  readonly type: string;
  readonly holds: RawBuilder<SqlBool>;
}

/** At most one filter is asked for. Such a list may have a named statement of its own. */
export const isPlain = (filters: readonly OptionalFilter[]): boolean =>
  filters.filter(isGiven).length <= 1;

/**
 * The conditions of a list. At most one filter makes a text of its own. Any more share one text that
 * holds them all, so that n filters make n + 2 texts and not 2^n. That one must be unnamed: PostgreSQL
 * then knows the values as it plans, and drops the filters that were left out.
 */
export const conditionsOf = (filters: readonly OptionalFilter[]): RawBuilder<SqlBool>[] =>
  isPlain(filters) ? filters.filter(isGiven).map(({ holds }) => holds) : allConditions(filters);

/** The one text that holds all filters, for a statement that is always unnamed. */
export const allConditions = (filters: readonly OptionalFilter[]): RawBuilder<SqlBool>[] =>
  filters.map(
    ({ value, type, holds }) => sql<SqlBool>`(${value}::${sql.raw(type)} is null or ${holds})`,
  );

const isGiven = ({ value }: OptionalFilter) => value !== null;
