import { type RawBuilder, sql } from 'kysely';

/** The words of a search, folded by the database, each a prefix: `'mass':* & 'gen':*`. */
export function prefixQuery(search: string): RawBuilder<unknown> {
  const words = search.match(/[\p{L}\p{N}]+/gu) ?? [];
  const query = words.map((word) => `'${word}':*`).join(' & ');
  return sql`to_tsquery('simple', public.fold(${query}))`;
}
