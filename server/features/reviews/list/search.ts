import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { Search } from '#server/listing/list.ts';
import { similarWords, splitsOf, wordsWithPrefix } from '#server/listing/similar-words.ts';

const WORDS_MAX = 12;
/** The space between words, as PostgreSQL's parser names it. */
const BLANK = 12;
/** If more words start with a prefix, the search matches the prefix itself. */
const WORDS_PER_PREFIX_MAX = 30;

/**
 * Turns a search into a query of known words: each typed word becomes the words that start with it,
 * or the two words that it was run together from, or similar words. Null if the search has no words.
 */
export async function understandSearch(db: Db, text: string): Promise<Search | null> {
  const { words } = await db
    .selectNoFrom(
      // As PostgreSQL reads the words of reviews: "6e1f" is the number 6e1 and the word f.
      sql<string[]>`array(
        select token from ts_parse('default', public.plain_words(${text}))
        where tokid <> ${sql.lit(BLANK)}
      )`.as('words'),
    )
    .executeTakeFirstOrThrow();
  const searched = words.slice(0, WORDS_MAX);
  if (searched.length === 0) return null;
  const known = await wordsWithPrefix(db, 'search_words', searched, WORDS_PER_PREFIX_MAX + 1);
  const unknown = searched.filter((word) => known.get(word)?.length === 0);
  const splits = await knownSplits(db, unknown);
  const misspelt = unknown.filter((word) => splits.get(word)?.length === 0);
  const corrected = misspelt.length > 0 ? await correctedWords(db, misspelt) : null;
  const terms = searched.map((word) => {
    const withPrefix = known.get(word) ?? [];
    // A single letter only matches itself: most reviews have some word that starts with it.
    if (word.length === 1 && withPrefix[0] === word) return [word];
    return withPrefix.length > 0 ? withPrefix : (corrected?.get(word) ?? []);
  });
  return {
    match: terms
      .map((term, at) => {
        const word = searched[at] ?? '';
        const pairs = splits.get(word) ?? [];
        return pairs.length > 0 ? eitherPair(pairs) : termOf(term, word);
      })
      .join(' & '),
    isClosest: unknown.length > 0,
  };
}

/** For each unknown word, the similar words, and the words that start with those if they are few. */
async function correctedWords(db: Db, unknown: string[]): Promise<Map<string, string[]>> {
  const similar = await similarWords(db, 'search_words', unknown);
  const known = await wordsWithPrefix(
    db,
    'search_words',
    [...new Set([...similar.values()].flat())],
    WORDS_PER_PREFIX_MAX + 1,
  );
  const corrected = [...similar].map(([word, words]): [string, string[]] => {
    const withPrefix = [...new Set(words.flatMap((one) => known.get(one) ?? []))];
    return [word, withPrefix.length <= WORDS_PER_PREFIX_MAX ? withPrefix : words];
  });
  return new Map(corrected);
}

/** For each unknown word, the ways to split it into two known words. */
async function knownSplits(
  db: Db,
  unknown: readonly string[],
): Promise<Map<string, [string, string][]>> {
  const halves = [...new Set(unknown.flatMap(splitsOf).flat())];
  const found = halves.length > 0 ? await wordsWithPrefix(db, 'search_words', halves, 1) : null;
  const isKnown = (half: string) => found?.get(half)?.[0] === half;
  return new Map(
    unknown.map((word) => [word, splitsOf(word).filter((pair) => pair.every(isKnown))]),
  );
}

const eitherPair = (pairs: readonly (readonly [string, string])[]) =>
  `(${pairs.map(([left, right]) => `('${left}' & '${right}')`).join(' | ')})`;

const termOf = (words: readonly string[], prefix: string) =>
  words.length > 0 && words.length <= WORDS_PER_PREFIX_MAX
    ? `(${words.map((word) => `'${word}'`).join(' | ')})`
    : `'${prefix}':*`;
