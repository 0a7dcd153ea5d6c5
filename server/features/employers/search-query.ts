import type { Term } from './search-terms.ts';

/** A search as PostgreSQL's `tsquery` texts, which are cast and not parsed: words are words. */
export interface SearchQuery {
  /** What employers must match. */
  readonly match: string;
  /** The same, all in the name: ranks higher. */
  readonly inName: string;
  /** The same by whole words, in name and place: ranks higher. */
  readonly whole: string;
  /** The words as they were given, to compare names with. */
  readonly text: string;
}

/** Every word of the search, in any way that it may be written. */
export function queryOf(terms: readonly Term[]): SearchQuery {
  return {
    match: all(terms, (term) => anyForm(term, '')),
    inName: all(terms, (term) => anyForm(term, 'A')),
    whole: all(terms, ({ exact }) => or(exact.map((word) => lexeme(word, 'AB')))),
    text: terms.map(({ word }) => word).join(' '),
  };
}

/** Any of several searches; `text` is the first one's. */
export function anyOf(queries: readonly [SearchQuery, ...SearchQuery[]]): SearchQuery {
  const join = (part: 'match' | 'inName' | 'whole') => or(queries.map((query) => query[part]));
  return {
    match: join('match'),
    inName: join('inName'),
    whole: join('whole'),
    text: queries[0].text,
  };
}

/** In the name alone (weight A), or anywhere; initials have no weight. */
function anyForm(term: Term, where: '' | 'A'): string {
  const isPrefix = (word: string) => term.prefixes.some((prefix) => word.startsWith(prefix));
  return or([
    ...term.exact.filter((word) => !isPrefix(word)).map((word) => lexeme(word, where)),
    ...term.prefixes.map((word) => lexeme(word, `*${where}`)),
    ...term.phrases.map((words) => and(words.map((word) => lexeme(word, where)))),
    ...(term.letters ? [`(${[...term.letters].map((l) => lexeme(l, where)).join(' <-> ')})`] : []),
    ...(term.initials && !where ? [lexeme(`=${term.initials}`, '*')] : []),
  ]);
}

const all = (terms: readonly Term[], form: (term: Term) => string) => and(terms.map(form));
const and = (parts: readonly string[]) => `(${parts.join(' & ')})`;
const or = (parts: readonly string[]) => `(${parts.join(' | ')})`;
const lexeme = (word: string, flags: string) => (flags ? `'${word}':${flags}` : `'${word}'`);
