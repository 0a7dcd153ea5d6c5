import { expect, test } from 'vitest';
import { REVIEW_TEXT_KEYS } from '#contract/review-choices.ts';
import { excerptAround } from './suggest.ts';

const aroundOf = (texts: readonly string[], search: string) => {
  const entries = REVIEW_TEXT_KEYS.map((field, at) => [field, texts[at] ?? '']);
  return excerptAround(Object.fromEntries(entries), search);
};

const LONG = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');

test.each([
  ['the beginning, if no word is found', ['A quiet place.'], 'xyz', 'A quiet place.'],
  [
    'the words around the match',
    [`${LONG} Night shifts.`],
    'night',
    '… word55 word56 word57 word58 word59 Night shifts.',
  ],
  ['a word by its beginning, without accents', ['So (“café”).'], 'cafe', 'So (“café”).'],
  ['the first text that has it', ['Nothing.', 'Nights are calm.'], 'night', 'Nights are calm.'],
  ['nothing of an empty text', ['', ''], 'night', ''],
] as const)('shows %s', (_, texts, search, excerpt) => {
  expect(aroundOf(texts, search)).toBe(excerpt);
});

test('a long text is cut at the end of a word, and a long word anywhere', () => {
  expect(aroundOf([LONG], 'word0')).toMatch(/^word0 .{60,110} word\d+ …$/);
  const cut = aroundOf(['x'.repeat(5000)], 'x');
  expect(cut.length).toBeLessThan(115);
  // Not within a character of two code units.
  expect(aroundOf([`x${'😀'.repeat(200)}`], 'x').isWellFormed()).toBe(true);
});

test('takes time linear in the length of the text', () => {
  const search = 'a '.repeat(100);
  const began = performance.now();
  aroundOf([`${'b '.repeat(50_000)}`, 'b'.repeat(100_000), ' '.repeat(100_000)], search);
  // Linear time is less than a second, and quadratic time much more than this.
  expect(performance.now() - began).toBeLessThan(10_000);
});
