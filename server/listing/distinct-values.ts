import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

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
