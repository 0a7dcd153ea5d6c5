import { sql } from 'kysely';
import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import type { Resource, Search } from '#server/listing/listing.ts';
import { countRows } from '#server/listing/page-query.ts';
import { similarWords, wordsBeginningWith } from '#server/listing/similar-words.ts';
import type { ReviewCriteria } from './list-query.ts';

const WORDS_MAX = 12;
/** Above so many words with one beginning, the search index is asked for the beginning itself. */
const BEGINNINGS_MAX = 30;

/**
 * A search as a query of known words: each word stands for the words that begin with it or, if there
 * are none, for similar ones. Null without a word.
 */
export async function understandSearch(db: Db, text: string): Promise<Search | null> {
  const { words } = await db
    .selectNoFrom(
      sql<string[]>`array_remove(string_to_array(public.plain_words(${text}), ' '), '')`.as(
        'words',
      ),
    )
    .executeTakeFirstOrThrow();
  const searched = words.slice(0, WORDS_MAX);
  if (searched.length === 0) return null;
  const known = await wordsBeginningWith(db, 'search_words', searched, BEGINNINGS_MAX + 1);
  const unknown = searched.filter((word) => known.get(word)?.length === 0);
  const similar = unknown.length > 0 ? await similarWords(db, 'search_words', unknown) : null;
  const terms = searched.map((word) => {
    const beginning = known.get(word) ?? [];
    // A word of one letter stands for itself: most reviews have some word that begins with it.
    if (word.length === 1 && beginning[0] === word) return [word];
    return beginning.length > 0 ? beginning : (similar?.get(word) ?? []);
  });
  return { match: terms.map((term, at) => termOf(term, searched[at] ?? '')).join(' & ') };
}

const termOf = (words: readonly string[], prefix: string) =>
  words.length > 0 && words.length <= BEGINNINGS_MAX
    ? `(${words.map((word) => `'${word}'`).join(' | ')})`
    : `'${prefix}':*`;

/** One review in 32 is in the sample (reviews_search_sample). */
const SAMPLE_SHARE = 32;
const inSample = sql<boolean>`public.in_search_sample(id)`;
/** With more matches in the sample, all pages up to here are read down an order. */
const NEAR_ROWS = 400;
const SAMPLE_MAX = { near: 1000, far: 4000 };

type Reviews = Resource<ReviewCriteria, Search>;

/** How far down a page is: deep pages need a better estimate. */
export const depthOf = ({ page, page_size }: ReviewCriteria) =>
  page * page_size <= NEAR_ROWS ? 'near' : 'far';

/** About how many reviews a search finds, from the sample; infinitely many if it does not matter. */
export async function estimateMatches(
  db: Db,
  reviews: Reviews,
  criteria: ReviewCriteria,
  search: Search,
): Promise<number> {
  const most = SAMPLE_MAX[depthOf(criteria)];
  const count = await countRows(db, reviews, criteria, search, { where: inSample, most });
  return count < most ? count * SAMPLE_SHARE : Number.POSITIVE_INFINITY;
}

/**
 * How many reviews a search finds, up to SEARCH_COUNT_MAX, and about how many it finds in all. They
 * are not counted where the sample has 1.5 times as many as SEARCH_COUNT_MAX matches would have:
 * ids are random, so fewer matches have a chance below 10^-15 (Chernoff's bound) to be so many there.
 */
export async function countSearch(
  db: Db,
  reviews: Reviews,
  criteria: ReviewCriteria,
  search: Search,
  most = SEARCH_COUNT_MAX,
): Promise<{ count: number; found: number }> {
  const about = await estimateMatches(db, reviews, criteria, search);
  if (about >= 1.5 * most) return { count: most, found: about };
  const count = await countRows(db, reviews, criteria, search, { most });
  return { count, found: count < most ? count : Math.max(count, about) };
}
