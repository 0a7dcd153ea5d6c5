import { plainLetters } from '#contract/plain-letters.ts';
import { REVIEW_TEXT_KEYS, type ReviewText } from '#contract/review-choices.ts';
import type { Suggestions } from '#contract/suggestions.ts';
import type { Deps } from '#server/deps.ts';
import {
  selectClosest,
  selectSuggested,
} from '#server/features/employers/directory/search-suggestions.ts';
import {
  suggestReviews,
  suggestSpecialties,
  suggestTitles,
} from '#server/features/reviews/list/search-suggestions.ts';

const AROUND_MAX = 110;
/** How many words are shown before the one that was searched for. */
const WORDS_BEFORE = 5;
/** Further words of a search are ignored. */
const SEARCHED_MAX = 12;

const plain = (text: string) =>
  plainLetters(text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''));
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

/**
 * A few words of the first text that contains a search word, around that word; otherwise the
 * beginning of the first text.
 */
export function excerptAround(review: Record<ReviewText, string>, search: string): string {
  const searched = (plain(search).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, SEARCHED_MAX);
  const isSearched = (word: string) => {
    const letters = plain(word).replace(/^[^\p{L}\p{N}]+/u, '');
    return searched.some((prefix) => letters.startsWith(prefix));
  };
  for (const field of REVIEW_TEXT_KEYS) {
    const words = wordsOf(review[field]);
    const at = words.findIndex(isSearched);
    if (at >= 0) return cut(words, Math.max(0, at - WORDS_BEFORE));
  }
  return cut(wordsOf(review.review_text), 0);
}

function cut(words: readonly string[], start: number): string {
  const rest = words.slice(start, start + AROUND_MAX).join(' ');
  const isLong = rest.length > AROUND_MAX;
  // At the end of a word, if there is one.
  const short = isLong ? rest.slice(0, AROUND_MAX).replace(/\s\S*$|[\uD800-\uDBFF]$/, '') : rest;
  return `${start > 0 ? '… ' : ''}${short}${isLong ? ' …' : ''}`;
}

/** The first matches of each kind. Similar ones only if nothing of any kind matches exactly. */
export async function suggest(
  deps: Pick<Deps, 'db' | 'cache'>,
  search: string,
): Promise<Suggestions> {
  const [{ employers, places }, specialties, titles, reviews] = await Promise.all([
    selectSuggested(deps, search),
    suggestSpecialties(deps.db, search),
    suggestTitles(deps.db, search),
    suggestReviews(deps, search),
  ]);
  const isExact = employers.length + specialties.length > 0 || [titles, reviews].some(matchExactly);
  const shown = isExact ? employers : await selectClosest(deps, search);
  const found = shown.length + titles.results.length + reviews.results.length;
  return {
    is_closest: !isExact && found > 0,
    places,
    employers: shown.map(({ id, name, city, state, overall_rating, total_reviews }) => ({
      id,
      name,
      city,
      state,
      overall_rating,
      total_reviews,
    })),
    specialties,
    position_titles: isExact && titles.isClosest ? [] : titles.results,
    reviews: (isExact && reviews.isClosest ? [] : reviews.results).map((review) => ({
      id: review.id,
      employer_name: review.employer_name,
      position_title: review.position_title,
      overall_rating: review.overall_rating,
      excerpt: excerptAround(review, search),
    })),
  };
}

const matchExactly = ({ results, isClosest }: { results: unknown[]; isClosest: boolean }) =>
  results.length > 0 && !isClosest;
