import { sql } from 'kysely';
import { STATE_NAMES } from '#contract/employers/states.ts';
import type { Db } from '#server/db/open.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';
import { formsOf, isKind, PHRASES, WORD_STATES, wordsOf } from './search-terms.ts';

/** A city that a search names. */
export interface Place {
  /** As `plain_words` writes it. */
  readonly city: string;
  /** As employers there write it. */
  readonly spelling: string;
  readonly state: string;
  /** Whether the search names the state too. */
  readonly hasState: boolean;
  /** The other words of the search. */
  readonly others: readonly string[];
  /** Other cities of that name, in other states. */
  readonly namesakes: readonly Place[];
}

interface Span {
  readonly spellings: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface City {
  readonly city: string;
  readonly spelling: string;
  readonly state: string;
  readonly state_name: string;
}

/** What people call cities. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['abq', 'albuquerque'],
  ['cincy', 'cincinnati'],
  ['dc', 'washington'],
  ['indy', 'indianapolis'],
  ['jax', 'jacksonville'],
  ['nola', 'new orleans'],
  ['okc', 'oklahoma city'],
  ['philly', 'philadelphia'],
  ['slc', 'salt lake city'],
  ['vegas', 'las vegas'],
]);
const CITY_WORDS_MAX = 4;
const STATE_WORDS_MAX = 3;
const PLACES_MAX = 4;
/** Names and letters of the states, as `wordsOf` writes them. */
const STATES = new Map(
  Object.entries(STATE_NAMES).flatMap(([code, name]) =>
    [wordsOf(name).join(' '), code.toLowerCase()].map((words) => [words, code]),
  ),
);
/** Letters of states that mean something else, too. */
const isOtherWord = (letters: string) => WORD_STATES.has(letters) || PHRASES.has(letters);

/**
 * The cities that a search may name, at its end or at its beginning, alone or followed by their state:
 * with their state first, then all that the search names beside kinds, then at its end, then the
 * longest name. Of several cities of a name, the one with the most beds.
 */
export async function placesIn(db: Db, words: readonly string[]): Promise<Place[]> {
  // There are cities named Center.
  if (words.every(isKind)) return [];
  const spans = spansOf(words);
  const spellings = [...new Set(spans.flatMap((span) => span.spellings))];
  // employers_by_city
  const { rows } = await sql<City>`
    select public.plain_words(city) as city, min(city) as spelling, state,
      public.state_name(state) as state_name
    from employers
    where public.plain_words(city) = any(${spellings}) and state is not null and ${LISTED}
    group by public.plain_words(city), state
    order by sum(coalesce(bed_count, 0)) desc, count(*) desc, state`.execute(db);
  const places = spans.flatMap((span) => {
    const named = rows
      .filter(({ city }) => span.spellings.includes(city))
      .flatMap((city) => placeOf(span, city) ?? []);
    const meant = named.find(({ hasState }) => hasState) ?? named[0];
    if (!meant) return [];
    const isNamesake = ({ city, state }: Place) => city === meant.city && state !== meant.state;
    return [{ ...meant, namesakes: meant.hasState ? [] : named.filter(isNamesake) }];
  });
  const certainty = (place: Place) => Number(place.hasState) * 2 + Number(isOfPlace(place));
  return places.toSorted((a, b) => certainty(b) - certainty(a)).slice(0, PLACES_MAX);
}

/** The words in a row that could be a city, and those around them: at the end first, longest first. */
function spansOf(words: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (let end = words.length; end > 0; end -= 1) {
    for (let start = Math.max(0, end - CITY_WORDS_MAX); start < end; start += 1) {
      const [before, after] = [words.slice(0, start), words.slice(end)];
      spans.push({ spellings: spellingsOf(words.slice(start, end)), before, after });
    }
  }
  return spans;
}

/** 'saint louis' is also 'st louis'. */
function spellingsOf(words: readonly string[]): string[] {
  const [first = '', ...others] = words;
  const short = words.length === 1 && (SHORT.get(first) ?? PHRASES.get(first)?.join(' '));
  return short ? [short, first] : formsOf(first).map((form) => [form, ...others].join(' '));
}

/** Null if words follow the city that are neither its state nor, at its beginning, the rest. */
function placeOf({ before, after }: Span, { state_name, ...city }: City): Place | null {
  const place = { ...city, hasState: true, namesakes: [] };
  const following = after.join(' ');
  if (following === '') return { ...place, hasState: false, others: before };
  for (const name of [city.state.toLowerCase(), state_name]) {
    if (following === name) return { ...place, others: before };
    if (before.length === 0 && following.startsWith(`${name} `)) {
      return { ...place, others: following.slice(name.length + 1).split(' ') };
    }
  }
  return before.length === 0 ? { ...place, hasState: false, others: after } : null;
}

/** The state that the last or the first words name, and the other words. */
export function besideState(
  words: readonly string[],
): { readonly state: string; readonly others: readonly string[] } | null {
  for (let length = STATE_WORDS_MAX; length > 0; length -= 1) {
    for (const [named, others] of [
      [words.slice(-length), words.slice(0, -length)],
      [words.slice(0, length), words.slice(length)],
    ] as const) {
      const name = named.join(' ');
      const state = isOtherWord(name) ? undefined : STATES.get(name);
      if (state && others.length > 0) return { state, others };
    }
  }
  return null;
}

/** A search that ends in a state: 'mercy hospital fl'. */
interface WithState {
  readonly state: string;
  /** Its letters or its name, as `wordsOf` writes them. */
  readonly typed: string;
  /** What comes before it, as typed. */
  readonly before: string;
}

/** Null if the search does not end in a state, or is only a state. */
export function stateAtEnd(search: string): WithState | null {
  const words = search.trim().split(/[\s,]+/);
  for (let length = Math.min(STATE_WORDS_MAX, words.length - 1); length > 0; length -= 1) {
    const typed = wordsOf(words.slice(-length).join(' ')).join(' ');
    const state = STATES.get(typed);
    if (state) return { state, typed, before: words.slice(0, -length).join(' ') };
  }
  return null;
}

/** Whether a search asks for a place alone, or for a kind of employer there. */
export const isOfPlace = ({ others }: Place) => others.every(isKind);
