import { createHash } from 'node:crypto';
import { sql } from 'kysely';

/**
 * A connection never frees a named statement, and each takes tens of kilobytes there: no more
 * than this many SQL texts get a name. The server's own need fewer (server/statements.test.ts);
 * texts past that work too, and are parsed and planned each time.
 */
export const NAMED_MAX = 256;

const MARK = '/* unnamed */';

/**
 * Ends a statement that gets no name: its plan has to fit its values, or it is rarely sent.
 * PostgreSQL then plans it with the values known, and forgets it.
 */
export const UNNAMED = sql.raw(MARK);

/** Names of SQL texts: the same text must have the same name on every connection. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #max: number;

  constructor(max = NAMED_MAX) {
    this.#max = max;
  }

  /** How many texts have a name. */
  get size(): number {
    return this.#names.size;
  }

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || text.endsWith(MARK) || this.size >= this.#max) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    this.#names.set(text, name);
    return name;
  }
}
