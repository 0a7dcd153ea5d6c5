import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

/** The words of a resource, to correct a search by (server/db/migrations/). */
type WordTable = 'employer_words' | 'search_words';

/** Words with a typing error that is worth correcting. */
const CORRECTABLE = /^[a-z]{4,30}$/;

/** Of each word, the first words that begin with it. `words` have only letters and digits. */
export async function wordsBeginningWith(
  db: Db,
  table: WordTable,
  words: readonly string[],
  most: number,
): Promise<Map<string, string[]>> {
  // In "C", '~' follows letters and digits.
  const { rows } = await sql<{ word: string; beginning: string[] }>`
    select given as word, array(
      select distinct word from ${sql.table(table)} where word >= given and word < given || '~'
      order by word limit ${most}
    ) as beginning
    from unnest(${words}::text[]) as given`.execute(db);
  return new Map(rows.map(({ word, beginning }) => [word, beginning]));
}

/** Words that are one typing error away from each word; if there are none, similar ones. */
export async function similarWords(
  db: Db,
  table: WordTable,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; similar: string[] }>`
    select given as word, coalesce(nullif(array(
        select word from ${sql.table(table)} where spellings && public.spellings(given)
        group by word order by similarity(word, given) desc, word limit 4
      ), '{}'), array(
        select word from ${sql.table(table)} where word % given
        group by word order by similarity(word, given) desc, word limit 3
      )) as similar
    from unnest(${words.filter((word) => CORRECTABLE.test(word))}::text[]) as given`.execute(db);
  return new Map(rows.map(({ word, similar }) => [word, similar]));
}
