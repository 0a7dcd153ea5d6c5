import { type RawBuilder, sql } from 'kysely';

interface Types {
  bytea: Buffer;
  integer: number;
  text: string;
  uuid: string;
}

/** For `column = any(…)`: one SQL text for any number of values, unlike `in (…)`. */
export const anyOf = <T extends keyof Types>(
  type: T,
  values: readonly Types[T][],
): RawBuilder<Types[T]> => sql`any(${values}::${sql.raw(type)}[])`;
