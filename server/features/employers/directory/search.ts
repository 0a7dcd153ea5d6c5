import { sql } from 'kysely';
import { isState } from '#contract/employers/employer-place.ts';
import { specialtyNamed } from '#contract/reviews/specialty-of-title.ts';
import type { Db } from '#server/db/open.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';
import type { Condition } from '#server/listing/list.ts';
import { similarWords, splitsOf, wordsWithPrefix } from '#server/listing/similar-words.ts';
import { besideState, isOfPlace, type Place, placeIn } from './search-place.ts';
import {
  isSpecific,
  PHRASES,
  SMALL_WORDS,
  type Term,
  termsOf,
  WORD_STATES,
  wordsOf,
} from './search-terms.ts';

/** A search as texts of PostgreSQL's `tsquery`. They are cast, not parsed, so no word is an operator. */
export interface SearchQuery {
  /** Employers must match this. */
  readonly match: string;
  /** The same, with all words in the name, for ranking. */
  readonly inName: string;
  /** The same, with whole words in name and place, for ranking. */
  readonly whole: string;
  /** The initials of a name. Null for a search of several words. */
  readonly initials: string | null;
  /** Regular expressions of names that begin with these words, whole and not. */
  readonly begins: { readonly whole: string; readonly any: string };
  /** The words as typed. */
  readonly text: string;
  readonly place: Place | null;
  /** Employers with reviews in the specialty that the search names. */
  readonly also?: Condition;
  readonly isClosest: boolean;
}

/**
 * Turns a search into a query; null if it has no words. If the words as typed find nothing, splits the
 * unknown ones in two, then tries similar words for them, then for all, and then drops one word.
 */
export async function understandSearch(db: Db, search: string): Promise<SearchQuery | null> {
  const understood = await understand(db, search);
  return understood && { ...understood, text: search };
}

async function understand(db: Db, search: string): Promise<SearchQuery | null> {
  const words = wordsOf(search);
  const [state = ''] = words;
  if (search.trim() === state.toUpperCase() && isState(search.trim()) && !PHRASES.has(state)) {
    return inState(state);
  }
  const terms = termsOf(words);
  if (terms.length === 0) return null;
  const literal = queryOf(terms);
  const place = await placeIn(db, words);
  const special = inSpecialty(literal, words, place);
  if (special && (await findsAny(db, special))) return special;
  const narrowed = place ? inPlace(literal, place) : literal;
  if (await findsAny(db, narrowed)) return narrowed;

  const known = await wordsWithPrefix(db, 'employer_words', words, 1);
  const isUnknown = ({ word }: Term) => known.get(word)?.length === 0;
  const split = queryOf(terms.map((term) => (isUnknown(term) ? takeApart(term) : term)));
  if (await findsAny(db, split)) return { ...split, isClosest: true };
  const similar = await similarWords(db, 'employer_words', words);
  const corrected = queryOf(terms.map((term) => (isUnknown(term) ? respell(term, similar) : term)));
  if (await findsAny(db, corrected)) return { ...corrected, isClosest: true };
  const forgiving = terms.map((term) => respell(term, similar));
  const forgiven = queryOf(forgiving);
  if (await findsAny(db, forgiven)) return { ...forgiven, isClosest: true };
  const [first, ...others] = withoutOne(forgiving, similar);
  return first ? { ...anyOf([first, ...others]), isClosest: true } : literal;
}

/** Turns a name into the broadest query; null if it has no words. */
export async function understandName(db: Db, name: string): Promise<SearchQuery | null> {
  const terms = termsOf(wordsOf(name));
  if (terms.length === 0) return null;
  const words = terms.map(({ word }) => word);
  const similar = await similarWords(db, 'employer_words', words);
  const forgiving = terms.map((term) => respell(term, similar));
  return anyOf([queryOf(forgiving), ...withoutOne(forgiving, similar)]);
}

/**
 * The search without each of its words in turn, unless only common words would remain. "hospitl" is
 * as common as "hospital".
 */
function withoutOne(terms: readonly Term[], similar: ReadonlyMap<string, string[]>): SearchQuery[] {
  const { text } = queryOf(terms);
  const meant = ({ word }: Term) => similar.get(word)?.[0] ?? word;
  return terms
    .map((left) => terms.filter((term) => term !== left))
    .filter((kept) => isSpecific(kept.map(({ word }) => word)) && isSpecific(kept.map(meant)))
    .map((kept) => ({ ...queryOf(kept), text }));
}

const takeApart = (term: Term): Term => ({
  ...term,
  phrases: [...term.phrases, ...splitsOf(term.word)],
});

const respell = (term: Term, similar: ReadonlyMap<string, string[]>): Term => ({
  ...term,
  exact: [...term.exact, ...(similar.get(term.word) ?? [])],
});

async function findsAny(db: Db, { match, also = sql`false` }: SearchQuery): Promise<boolean> {
  const { rows } = await sql`
    select from employers
    -- in a subquery, so that the plan does not depend on an estimate
    where (search @@ (select ${match}::tsquery) or ${also}) and ${LISTED} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** A state alone, such as 'PA', which is also a word. */
const inState = (state: string): SearchQuery => ({
  ...queryOf(termsOf([state])),
  match: lexeme(state, 'B'),
  begins: { whole: NOTHING, any: NOTHING },
});
/** Matches no name. */
const NOTHING = '^$';

/**
 * Employers with reviews in the specialty that the words name, alone or with a place, and those that
 * have all words, none of them incomplete. Null if the words name none.
 */
function inSpecialty(
  query: SearchQuery,
  words: readonly string[],
  place: Place | null,
): SearchQuery | null {
  const rest = place ?? (specialtyNamed(words) ? null : besideState(words));
  const specialty = specialtyNamed(rest ? rest.others : words);
  if (!specialty) return null;
  const here = { city: place?.city ?? null, state: rest?.state ?? null };
  return {
    ...query,
    match: query.whole,
    begins: { ...query.begins, any: query.begins.whole },
    place,
    // employer_specialties_by_specialty
    also: sql`(
      id = any(array(select employer_id from employer_specialties where specialty = ${specialty}))
      and (${here.city}::text is null or public.plain_words(city) = ${here.city})
      and (${here.state}::text is null or state = ${here.state})
    )`,
  };
}

/** What lies in the place, and employers whose name has every word. */
function inPlace(query: SearchQuery, place: Place): SearchQuery {
  const words = place.city.split(' ').map((word) => lexeme(word, 'B'));
  // Of several cities of a name, the other words say which one is meant.
  const isAnywhere = !place.hasState && !isOfPlace(place);
  const city = [...words, ...(isAnywhere ? [] : [lexeme(place.state.toLowerCase(), 'B')])];
  const others = isOfPlace(place) ? [] : termsOf(place.others).map((term) => anyForm(term, ''));
  const there = and([`(${city.join(' <-> ')})`, ...others]);
  return { ...query, match: or([there, query.inName]), place };
}

/** All words of the search, each in any of its forms. */
function queryOf(terms: readonly Term[]): SearchQuery {
  const forms = terms.map(({ exact }) => `(?:${exact.join('|')})`);
  const [initials] = terms.length === 1 ? terms.map((term) => term.initials) : [];
  return {
    match: all(terms, (term) => anyForm(term, '')),
    inName: all(terms, (term) => anyForm(term, 'A')),
    whole: all(terms, ({ exact }) => or(exact.map((word) => lexeme(word, 'AB')))),
    initials: initials ? lexeme(`=${initials}`, '') : null,
    begins: {
      whole: `^(?:the )?${forms.join(BETWEEN)}(?: |$)`,
      any: `^(?:the )?${forms.join(`[a-z0-9]*${BETWEEN}`)}`,
    },
    place: null,
    text: terms.map(({ word }) => word).join(' '),
    isClosest: false,
  };
}

/** Any of several searches. What is not a `tsquery` comes from the first one. */
function anyOf(queries: readonly [SearchQuery, ...SearchQuery[]]): SearchQuery {
  const join = (part: 'match' | 'inName' | 'whole') => or(queries.map((query) => query[part]));
  return { ...queries[0], match: join('match'), inName: join('inName'), whole: join('whole') };
}

/** Matches in the name (weight A) or anywhere. Initials have no weight. */
function anyForm(term: Term, where: '' | 'A'): string {
  const flags = where || (WORD_STATES.has(term.word) ? 'ACD' : '');
  const isPrefix = (word: string) => term.prefixes.some((prefix) => word.startsWith(prefix));
  return or([
    ...term.exact.filter((word) => !isPrefix(word)).map((word) => lexeme(word, flags)),
    ...term.prefixes.map((word) => lexeme(word, `*${flags}`)),
    ...term.phrases.map((words) => and(words.map((word) => lexeme(word, where)))),
    ...(term.letters ? [`(${[...term.letters].map((l) => lexeme(l, where)).join(' <-> ')})`] : []),
    ...(term.initials && !where ? [lexeme(`=${term.initials}`, '*')] : []),
  ]);
}

/** Names may have small words between those of a search. */
const BETWEEN = ` (?:(?:${[...SMALL_WORDS].join('|')}) )*`;

const all = (terms: readonly Term[], form: (term: Term) => string) => and(terms.map(form));
const and = (parts: readonly string[]) => `(${parts.join(' & ')})`;
const or = (parts: readonly string[]) => `(${parts.join(' | ')})`;
const lexeme = (word: string, flags: string) => (flags ? `'${word}':${flags}` : `'${word}'`);
