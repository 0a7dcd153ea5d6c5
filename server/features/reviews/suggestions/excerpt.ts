import { plainLetters } from '#contract/plain-letters.ts';
import { REVIEW_TEXT_KEYS, type ReviewText } from '#contract/review-choices.ts';

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
