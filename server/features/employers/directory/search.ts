import { sql } from 'kysely';
import { isState } from '#contract/employers/states.ts';
import { specialtyNamed } from '#contract/reviews/specialty-of-title.ts';
import type { Db } from '#server/db/open.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';
import type { Condition } from '#server/listing/list.ts';
import { similarWords, splitsOf, wordsWithPrefix } from '#server/listing/similar-words.ts';
import { besideState, isOfPlace, type Place, placesIn, stateAtEnd } from './search-place.ts';
import {
  FULL_KINDS,
  formsOf,
  fullKind,
  isKind,
  isSpecific,
  KINDS,
  PHRASES,
  type Term,
  termsOf,
  WORD_STATES,
  withWholeKind,
  wordsOf,
} from './search-terms.ts';

/** A search as texts of PostgreSQL's `tsquery`. They are cast, not parsed, so no word is an operator. */
export interface SearchQuery {
  /** Employers must match this. */
  readonly match: string;
  /** All words that must match are in the name, for ranking. */
  readonly inName: string;
  /** The optional words are in the name too, for ranking. Empty if there are none. */
  readonly inNameAsTyped: string;
  /** All words are whole words in name and place, for ranking. */
  readonly whole: string;
  /** The initials of a name. Null for a search of several words. */
  readonly initials: string | null;
  /** Regular expressions of names that begin with these words, whole and not. */
  readonly begins: { readonly whole: string; readonly any: string };
  /** A regular expression of names that have other kinds, or none: 'UCSF HOSPITAL', 'UCSF'. */
  readonly ofOtherKind: string;
  /** The search as a name, also without its place; without kinds; and with one that was not typed. */
  readonly names: Readonly<Record<'whole' | 'short' | 'withKind', readonly string[]>>;
  readonly place: Place | null;
  /** Employers with reviews in the specialty that the search names. */
  readonly also?: Condition;
  readonly isClosest: boolean;
}

/**
 * Turns a search into a query; null if it has no words. A name before its state is tried first, then each
 * place that the words may name, then the words without a place. If they find nothing, splits the
 * unknown ones in two, then tries similar words for them, the state of the place, the specific words,
 * similar words for all, and then drops one word, or the last few.
 */
export async function understandSearch(db: Db, search: string): Promise<SearchQuery | null> {
  const understood = await understand(db, search);
  return understood && withName(understood, search);
}

/** Also as a name with its small words. */
const withName = (query: SearchQuery, name: string): SearchQuery => ({
  ...query,
  names: { ...query.names, whole: [name, ...query.names.whole] },
});

async function understand(db: Db, search: string): Promise<SearchQuery | null> {
  const words = withWholeKind(wordsOf(search));
  const [state = ''] = words;
  if (search.trim() === state.toUpperCase() && isState(search.trim()) && !PHRASES.has(state)) {
    return ofState(state);
  }
  const terms = termsOf(words);
  if (terms.length === 0) return null;
  const literal = queryOf(terms);
  const places = await placesIn(db, words);
  const special = inSpecialty(literal, words, places);
  if (special && (await findsAny(db, special))) return special;
  const narrowed = places.map((place) => inPlace(terms, place));
  const inState = await namedInState(db, search, terms, literal);
  if (inState?.isName) return inState.query;
  // `places` begins with those whose state the search names.
  const surer = places.filter(({ hasState }) => hasState).length;
  const candidates = inState ? narrowed.toSpliced(surer, 0, inState.query) : narrowed;
  const open = await firstFound(db, [...candidates, literal], IS_OPEN);
  if (open) return open;
  const closed = await firstFound(db, [anyOf([literal, ...narrowed])]);
  if (closed) {
    // 'lebonheur' finds a closed hospital, 'le bonheur' its successor.
    const apart = await firstFound(db, [queryOf(terms.map(takeApart))], IS_OPEN);
    return apart ? anyOf([closed, apart]) : closed;
  }
  const closest = await firstFound(db, await guessesFor(db, terms, places));
  return closest ? { ...closest, isClosest: true } : literal;
}

/** What words that find nothing may mean, the most likely first. */
async function guessesFor(
  db: Db,
  terms: readonly Term[],
  places: readonly Place[],
): Promise<SearchQuery[]> {
  const words = terms.map(({ word }) => word);
  const known = await wordsWithPrefix(db, 'employer_words', words, 1);
  const similar = await similarWords(db, 'employer_words', words);
  const respelled = (term: Term) => respell(term, similar);
  const isUnknown = ({ word }: Term) => known.get(word)?.length === 0;
  const forUnknown = (guess: (term: Term) => Term) =>
    queryOf(terms.map((term) => (isUnknown(term) ? guess(term) : term)));
  const forgiving = terms.map(respelled);
  const [first, ...others] = withoutOne(forgiving, similar);
  const specific = terms.filter(({ word }) => isSpecific([word]));
  const spelled = terms.map(
    (term) => (isUnknown(term) && similar.get(term.word)?.[0]) || term.word,
  );
  const isRespelled = spelled.some((word, at) => word !== words[at]);
  // The names that physicians use count, too: 'cinncinati childrens'.
  const meant = isRespelled ? await understand(db, spelled.join(' ')) : null;
  const asMeant = meant && !meant.isClosest ? [meant] : [];
  return [
    ...(terms.some(isUnknown) ? [forUnknown(takeApart), ...asMeant, forUnknown(respelled)] : []),
    // 'mayo scottsdale' is in Phoenix.
    ...places
      .filter(({ others }) => isSpecific(others) || others.some((word) => PHRASES.has(word)))
      .map((place) => inStateOf(terms, place)),
    // 'stanford university' is not 'sanford university'.
    ...(specific.length > 0 && specific.length < terms.length ? [queryOf(specific)] : []),
    queryOf(forgiving),
    ...(first ? [anyOf([first, ...others])] : []),
    ...withoutLast(forgiving),
  ];
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
 * The search without each of its needed words in turn, unless only common words would remain.
 * "hospitl" is as common as "hospital".
 */
function withoutOne(terms: readonly Term[], similar: ReadonlyMap<string, string[]>): SearchQuery[] {
  const meant = ({ word }: Term) => similar.get(word)?.[0] ?? word;
  return neededOf(terms)
    .map((left) => terms.filter((term) => term !== left))
    .filter((kept) => isSpecific(kept.map(({ word }) => word)) && isSpecific(kept.map(meant)))
    .map((kept) => ({ ...queryOf(kept), ...asTyped(terms) }));
}

/** The search without its last words, which may name a place that no employer gives. */
const withoutLast = (terms: readonly Term[]): SearchQuery[] =>
  [2, 3, 4]
    .map((dropped) => terms.slice(0, -dropped))
    .filter((kept) => isSpecific(kept.map(({ word }) => word)))
    .map(queryOf);

const takeApart = (term: Term): Term => ({
  ...term,
  adjacent: [...term.adjacent, ...splitsOf(term.word)],
});

const respell = (term: Term, similar: ReadonlyMap<string, string[]>): Term => ({
  ...term,
  exact: [...term.exact, ...(similar.get(term.word) ?? [])],
});

/** Whether an employer has one of these names. */
export const isNamed = (names: readonly string[]) =>
  sql`(array[name_key] || alias_keys) && public.name_keys(${names}::text[])`;

const IS_OPEN: Condition = sql`hospital_status is distinct from 'Closed'`;

/** The first of the queries that finds any employer. */
async function firstFound(
  db: Db,
  queries: readonly SearchQuery[],
  among?: Condition,
): Promise<SearchQuery | null> {
  for (const query of queries) if (await findsAny(db, query, among)) return query;
  return null;
}

async function findsAny(
  db: Db,
  { match, also = sql`false` }: Pick<SearchQuery, 'match' | 'also'>,
  among: Condition = sql`true`,
): Promise<boolean> {
  const { rows } = await sql`
    select from employers
    -- in a subquery, so that the plan does not depend on an estimate
    where (search @@ (select ${match}::tsquery) or ${also}) and ${LISTED} and ${among} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** A state alone, such as 'PA', which is also a word. */
const ofState = (state: string): SearchQuery => ({
  ...queryOf(termsOf([state])),
  match: lexeme(state, 'B'),
  begins: { whole: NOTHING, any: NOTHING },
});

/**
 * Employers with reviews in the specialty that the words name, alone or with a place, and those that
 * have all words, none of them incomplete. Null if the words name none.
 */
function inSpecialty(
  query: SearchQuery,
  words: readonly string[],
  places: readonly Place[],
): SearchQuery | null {
  const place = places.find(({ others }) => specialtyNamed(others)) ?? null;
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
function inPlace(terms: readonly Term[], place: Place): SearchQuery {
  const query = queryOf(terms);
  // 'ST. LOUIS' is also 'SAINT LOUIS'.
  const words = place.city.split(' ').map((word) => or(formsOf(word).map((w) => lexeme(w, 'B'))));
  // Of several cities of a name, the other words say which one is meant.
  const isAnywhere = !place.hasState && !isOfPlace(place);
  const city = [...words, ...(isAnywhere ? [] : [lexeme(place.state.toLowerCase(), 'B')])];
  const others = termsOf(place.others);
  const needed = withoutKinds(others);
  const there = and([`(${city.join(' <-> ')})`, ...needed.map((term) => anyForm(term, ''))]);
  const match = or([there, query.inName]);
  if (isOfPlace(place)) return { ...query, ...asTyped(terms), match, place };
  const { names, ...ranking } = rankingOf(others, needed);
  const join = (part: keyof typeof names) => [...query.names[part], ...names[part]];
  return {
    ...query,
    ...ranking,
    names: { whole: join('whole'), short: join('short'), withKind: join('withKind') },
    match,
    place,
  };
}

/**
 * What has the name before the state at the end: 'mercy hospital fl'. Letters that are also a word are a
 * state in capitals, or if an employer there has exactly this name. 'la' is rather Los Angeles.
 */
async function namedInState(
  db: Db,
  search: string,
  terms: readonly Term[],
  literal: SearchQuery,
): Promise<{ query: SearchQuery; isName: boolean } | null> {
  const ending = stateAtEnd(search);
  if (!ending || PHRASES.has(ending.typed)) return null;
  const { state, typed, before } = ending;
  const others = wordsOf(before);
  const hasName = ({ match, names }: SearchQuery) =>
    findsAny(db, { match }, sql`${isNamed(names.whole)} and ${IS_OPEN}`);
  if (others.every(isKind) || (await hasName(withName(literal, search)))) return null;
  const query = withName(inStateOf(terms, { state, others }), before);
  const isInCapitals = search.trim().endsWith(typed.toUpperCase()) && /[a-z]/.test(before);
  const isLetters = typed.length === 2 && (!WORD_STATES.has(typed) || isInCapitals);
  const isName = await hasName(query);
  return isName || (isLetters && isSpecific(others)) ? { query, isName } : null;
}

/** What has the other words, anywhere in the state. */
function inStateOf(
  terms: readonly Term[],
  { state, others }: Pick<Place, 'state' | 'others'>,
): SearchQuery {
  const query = queryOf(termsOf(others));
  const match = and([lexeme(state.toLowerCase(), 'B'), query.inName]);
  return { ...query, whole: queryOf(terms).whole, match };
}

/**
 * The words of the search, each in any of its forms. A name that has the needed words matches, whatever
 * its kind.
 */
function queryOf(terms: readonly Term[]): SearchQuery {
  const needed = neededOf(terms);
  const [initials] = terms.length === 1 ? terms.map((term) => term.initials) : [];
  const everywhere = all(terms, (term) => anyForm(term, ''));
  const inName = all(needed, (term) => anyForm(term, 'A'));
  return {
    match: needed.length < terms.length ? or([everywhere, inName]) : everywhere,
    inName,
    whole: all(terms, ({ exact }) => or(exact.map((word) => lexeme(word, 'AB')))),
    initials: initials ? lexeme(`=${initials}`, '') : null,
    begins: {
      whole: `^(?:the )?${formsIn(terms).join(BETWEEN)}(?: |$)`,
      any: `^(?:the )?${formsIn(terms).join(`[a-z0-9]*${BETWEEN}`)}`,
    },
    ...rankingOf(terms, needed),
    place: null,
    isClosest: false,
  };
}

const KINDS_AFTER = [...FULL_KINDS, 'medical center', 'health system'];

type Ranking = Pick<SearchQuery, 'names' | 'ofOtherKind' | 'inNameAsTyped'>;

/** How names with the needed words are ranked. Without optional words, all that match have them. */
const rankingOf = (terms: readonly Term[], needed: readonly Term[]): Ranking =>
  needed.length === terms.length
    ? asTyped(terms)
    : {
        names: { whole: namesOf(terms), short: [textOf(needed)], withKind: [] },
        ofOtherKind: `^(?:the )?${formsIn(needed).join(BETWEEN)}(?: (?:${[...KINDS].join('|')}))*$`,
        inNameAsTyped: all(terms, (term) => anyForm(term, 'A')),
      };
const asTyped = (terms: readonly Term[]): Ranking => ({
  // 'jackson memorial' is a hospital.
  names: {
    whole: namesOf(terms),
    short: [],
    withKind: KINDS_AFTER.map((kind) => `${textOf(terms)} ${kind}`),
  },
  ofOtherKind: NOTHING,
  inNameAsTyped: '',
});

/** The words that a name must have: all but kinds, such as "hospital", if the others are specific. */
function neededOf(terms: readonly Term[]): readonly Term[] {
  const others = withoutKinds(terms);
  return isSpecific(others.map(({ word }) => word)) ? others : terms;
}

const withoutKinds = (terms: readonly Term[]) => terms.filter(({ word }) => !isKind(word));
const textOf = (terms: readonly Term[], read = (word: string) => word) =>
  terms.map(({ word }) => read(word)).join(' ');
const namesOf = (terms: readonly Term[]) => [textOf(terms), textOf(terms, fullKind)];
const formsIn = (terms: readonly Term[]) =>
  terms.map(({ exact, phrases }) => {
    const forms = [...exact, ...phrases.map((words) => words.join(' '))];
    return `(?:${forms.join('|')})`;
  });

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
    ...term.adjacent.map((words) => `(${words.map((w) => lexeme(w, where)).join(' <-> ')})`),
    ...(term.initials && !where ? [lexeme(`=${term.initials}`, '*')] : []),
  ]);
}

/** Matches no name. */
const NOTHING = '^$';

/** Names may have two other words between those of a search: 'childrens hospital of wisconsin'. */
const BETWEEN = ' (?:[a-z0-9]+ ){0,2}';

const all = (terms: readonly Term[], form: (term: Term) => string) => and(terms.map(form));
const and = (parts: readonly string[]) => `(${parts.join(' & ')})`;
const or = (parts: readonly string[]) => `(${parts.join(' | ')})`;
const lexeme = (word: string, flags: string) => (flags ? `'${word}':${flags}` : `'${word}'`);
