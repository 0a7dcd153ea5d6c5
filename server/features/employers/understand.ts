import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { anyOf, queryOf, type SearchQuery } from './search-query.ts';
import { isTelling, type Term, termsOf, wordsOf } from './search-words.ts';

/**
 * What a search asks for; null when it has no word. As it stands if that finds anything at all;
 * else with words that nobody has read as the nearest that somebody has; else without one word.
 */
export async function understand(db: Db, search: string): Promise<SearchQuery | null> {
  const terms = termsOf(wordsOf(search));
  if (terms.length === 0) return null;
  const literal = queryOf(terms);
  if (await findsAny(db, literal)) return literal;

  const known = await lookUp(db, terms);
  const corrected = queryOf(
    terms.map((term) => (known.get(term.word)?.isKnown === false ? respell(term, known) : term)),
  );
  if (await findsAny(db, corrected)) return corrected;
  const forgiving = terms.map((term) => respell(term, known));
  const forgiven = queryOf(forgiving);
  if (await findsAny(db, forgiven)) return forgiven;
  const [first, ...others] = withoutOne(forgiving);
  return first ? anyOf([first, ...others]) : literal;
}

/** The widest that a name can be understood; null when it has no word. */
export async function understandWidely(db: Db, name: string): Promise<SearchQuery | null> {
  const terms = termsOf(wordsOf(name));
  if (terms.length === 0) return null;
  const known = await lookUp(db, terms);
  const forgiving = terms.map((term) => respell(term, known));
  return anyOf([queryOf(forgiving), ...withoutOne(forgiving)]);
}

/** The search less each of its words in turn, where something is left that tells. */
function withoutOne(terms: readonly Term[]): SearchQuery[] {
  const { text } = queryOf(terms);
  return terms
    .map((left) => terms.filter((term) => term !== left))
    .filter(isTelling)
    .map((kept) => ({ ...queryOf(kept), text }));
}

function respell(term: Term, known: ReadonlyMap<string, Known>): Term {
  return { ...term, exact: [...term.exact, ...(known.get(term.word)?.alike ?? [])] };
}

async function findsAny(db: Db, { match }: SearchQuery): Promise<boolean> {
  const { rows } = await sql`
    select from employers where search @@ (select ${match}::tsquery) and merged_into is null limit 1
  `.execute(db);
  return rows.length > 0;
}

interface Known {
  /** Some word begins with it. */
  isKnown: boolean;
  /** Words a typing error away (employer_words_spellings), or else alike (employer_words_trigrams). */
  alike: string[];
}

async function lookUp(db: Db, terms: readonly Term[]): Promise<Map<string, Known>> {
  const words = terms.map(({ word }) => word).filter((word) => /^[a-z]{4,30}$/.test(word));
  const { rows } = await sql<Known & { word: string }>`
    select given as word,
      -- letters alone, in "C": '~' comes after all of them
      exists (
        select from employer_words where word >= given and word < given || '~'
      ) as "isKnown",
      coalesce(nullif(array(
        select word from employer_words where spellings && public.spellings(given)
        group by word
        order by similarity(word, given) desc, word limit 4
      ), '{}'), array(
        select word from employer_words where word % given
        group by word
        order by similarity(word, given) desc, word limit 3
      )) as alike
    from unnest(${words}::text[]) given
  `.execute(db);
  return new Map(rows.map(({ word, ...known }) => [word, known]));
}
