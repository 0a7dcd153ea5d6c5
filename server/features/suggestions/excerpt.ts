import { plainLetters } from '#contract/plain-letters.ts';

const EXCERPT_MAX = 110;
/** How many words are shown before the match. */
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
export function excerptOf(texts: readonly [string, ...string[]], search: string): string {
  const searched = (plain(search).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, SEARCHED_MAX);
  const isSearched = (word: string) => {
    const letters = plain(word).replace(/^[^\p{L}\p{N}]+/u, '');
    return searched.some((prefix) => letters.startsWith(prefix));
  };
  for (const text of texts) {
    const words = wordsOf(text);
    const at = words.findIndex(isSearched);
    if (at >= 0) return cut(words, Math.max(0, at - WORDS_BEFORE));
  }
  return cut(wordsOf(texts[0]), 0);
}

function cut(words: readonly string[], start: number): string {
  const rest = words.slice(start, start + EXCERPT_MAX).join(' ');
  const isLong = rest.length > EXCERPT_MAX;
  // At the end of a word, if there is one.
  const short = isLong ? rest.slice(0, EXCERPT_MAX).replace(/\s\S*$|[\uD800-\uDBFF]$/, '') : rest;
  return `${start > 0 ? '… ' : ''}${short}${isLong ? ' …' : ''}`;
}
