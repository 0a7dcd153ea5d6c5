import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

/** Tables of the words that occur in a resource (server/db/migrations). */
type WordTable = 'employer_words' | 'search_words';

/** Only words like these are corrected. */
const CORRECTABLE = /^[a-z]{4,30}$/;

/** Less similar words are other words. `%` has a lower threshold and reads the index. */
const SIMILARITY_MIN = 0.35;

/** For each word, the first words that start with it. `words` have only letters and digits. */
export async function wordsWithPrefix(
  db: Db,
  table: WordTable,
  words: readonly string[],
  most: number,
): Promise<Map<string, string[]>> {
  // In the collation "C", '~' sorts after letters and digits.
  const { rows } = await sql<{ word: string; completions: string[] }>`
    select given as word, array(
      select distinct word from ${sql.table(table)} where word >= given and word < given || '~'
      order by word limit ${most}
    ) as completions
    from unnest(${words}::text[]) as given`.execute(db);
  return new Map(rows.map(({ word, completions }) => [word, completions]));
}

/** The ways to split a word in two that were run together: 'elpaso' is 'el paso'. */
export const splitsOf = (word: string): [string, string][] =>
  CORRECTABLE.test(word)
    ? Array.from({ length: Math.max(0, word.length - 3) }, (_, at) => [
        word.slice(0, at + 2),
        word.slice(at + 2),
      ])
    : [];

/**
 * For each word, the words that are one typo away, or similar ones if there are none. Words with two
 * letters swapped have two spellings in common, others one, so they come first: 'oshu' is 'ohsu', not
 * 'oahu'.
 */
export async function similarWords(
  db: Db,
  table: WordTable,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; similar: string[] }>`
    select given as word, coalesce(nullif(array(
        select word from ${sql.table(table)} where spellings && public.spellings(given)
        group by word, spellings
        order by cardinality(array(
          select unnest(spellings) intersect select unnest(public.spellings(given))
        )) desc, similarity(word, given) desc, word
        limit 4
      ), '{}'), array(
        select word from ${sql.table(table)}
        where word % given and similarity(word, given) >= ${SIMILARITY_MIN}
        group by word order by similarity(word, given) desc, word limit 3
      )) as similar
    from unnest(${words.filter((word) => CORRECTABLE.test(word))}::text[]) as given`.execute(db);
  return new Map(rows.map(({ word, similar }) => [word, similar]));
}
