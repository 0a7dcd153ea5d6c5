import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/**
 * Connections never free named statements, and each takes tens of kilobytes, so only this many SQL
 * texts get a name. The server needs fewer (server/statements.long.test.ts). Others also work, but are
 * parsed and planned each time.
 */
export const NAMED_MAX = 384;

const MARK = '/* unnamed */';

/**
 * Marks a statement that gets no name, because its plan depends on its values or it is rare.
 * PostgreSQL then plans it with the values, and discards the plan.
 */
export const UNNAMED = sql.raw(MARK);

const isUnnamed = (text: string) => text.endsWith(MARK);

/** Names of SQL texts: a text has the same name on every connection. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #max: number;

  constructor(max = NAMED_MAX) {
    this.#max = max;
  }

  get size(): number {
    return this.#names.size;
  }

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || isUnnamed(text) || this.size >= this.#max) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    this.#names.set(text, name);
    return name;
  }
}

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
