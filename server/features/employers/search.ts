import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { similarWords, wordsBeginningWith } from '#server/listing/similar-words.ts';
import { anyOf, queryOf, type SearchQuery } from './search-query.ts';
import { isTelling, type Term, termsOf, wordsOf } from './search-terms.ts';

/**
 * A search as a query; null without a word. As it is if that finds anything; else with the nearest
 * known words for the unknown ones; else without one of its words.
 */
export async function understandSearch(db: Db, search: string): Promise<SearchQuery | null> {
  const terms = termsOf(wordsOf(search));
  if (terms.length === 0) return null;
  const literal = queryOf(terms);
  if (await findsAny(db, literal)) return literal;

  const words = terms.map(({ word }) => word);
  const known = await wordsBeginningWith(db, 'employer_words', words, 1);
  const similar = await similarWords(db, 'employer_words', words);
  const corrected = queryOf(
    terms.map((term) => (known.get(term.word)?.length === 0 ? respell(term, similar) : term)),
  );
  if (await findsAny(db, corrected)) return corrected;
  const forgiving = terms.map((term) => respell(term, similar));
  const forgiven = queryOf(forgiving);
  if (await findsAny(db, forgiven)) return forgiven;
  const [first, ...others] = withoutOne(forgiving);
  return first ? anyOf([first, ...others]) : literal;
}

/** A name as the broadest query; null without a word. */
export async function understandName(db: Db, name: string): Promise<SearchQuery | null> {
  const terms = termsOf(wordsOf(name));
  if (terms.length === 0) return null;
  const words = terms.map(({ word }) => word);
  const similar = await similarWords(db, 'employer_words', words);
  const forgiving = terms.map((term) => respell(term, similar));
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

const respell = (term: Term, similar: ReadonlyMap<string, string[]>): Term => ({
  ...term,
  exact: [...term.exact, ...(similar.get(term.word) ?? [])],
});

async function findsAny(db: Db, { match }: SearchQuery): Promise<boolean> {
  const { rows } = await sql`
    select from employers where search @@ (select ${match}::tsquery) and merged_into is null limit 1
  `.execute(db);
  return rows.length > 0;
}
